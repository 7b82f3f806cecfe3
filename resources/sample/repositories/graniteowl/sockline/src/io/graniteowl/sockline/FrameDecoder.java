package io.graniteowl.sockline;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Cuts the byte stream of a web socket into messages. */
class FrameDecoder {

    interface Handler {
        void text(String message);

        void binary(byte[] message);

        void closed(int code, String why);

        default boolean ping(byte[] payload) {
            return payload.length <= 125;
        }
    }

    static class ProtocolError extends Exception {
        final int code;

        ProtocolError(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    private enum Step {
        FIRST, LENGTH, LONG_LENGTH, MASK, PAYLOAD
    }

    private final Handler handler;
    private final int maxMessage;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private final byte[] mask = new byte[4];
    private Step step = Step.FIRST;
    private boolean fin, masked, compressed;
    private int opcode, messageOpcode, need, have;
    private long length;
    private byte[] control;

    FrameDecoder(Handler handler, int maxMessage) {
        this.handler = handler;
        this.maxMessage = maxMessage;
    }

    /**
     * Takes the next bytes from the network, in pieces of any size, and reports every message that is complete. The state
     * survives between calls.
     */
    void feed(ByteBuffer input) throws ProtocolError {
        while (input.hasRemaining() || (step == Step.PAYLOAD && length == 0)) {
            switch (step) {
                case FIRST: {
                    int b = input.get() & 0xFF;
                    fin = (b & 0x80) != 0;
                    opcode = b & 0x0F;
                    boolean rsv1 = (b & 0x40) != 0;
                    if ((b & 0x30) != 0) {
                        throw new ProtocolError(1002, "reserved bits are set");
                    }
                    if (opcode >= 8) {
                        if (!fin || opcode > 10) {
                            throw new ProtocolError(1002, "bad control frame " + opcode);
                        }
                        if (rsv1) {
                            throw new ProtocolError(1002, "compressed control frame");
                        }
                    } else if (opcode == 0) {
                        if (messageOpcode == 0) {
                            throw new ProtocolError(1002, "continuation of nothing");
                        }
                    } else if (opcode > 2) {
                        throw new ProtocolError(1002, "unknown opcode " + opcode);
                    } else {
                        if (messageOpcode != 0) {
                            throw new ProtocolError(1002, "message inside a message");
                        }
                        messageOpcode = opcode;
                        compressed = rsv1;
                        message.reset();
                    }
                    step = Step.LENGTH;
                    break;
                }
                case LENGTH: {
                    int b = input.get() & 0xFF;
                    masked = (b & 0x80) != 0;
                    length = b & 0x7F;
                    have = 0;
                    if (length >= 126) {
                        if (opcode >= 8) {
                            throw new ProtocolError(1002, "control frame too long");
                        }
                        need = length == 126 ? 2 : 8;
                        length = 0;
                        step = Step.LONG_LENGTH;
                    } else {
                        step = masked ? Step.MASK : Step.PAYLOAD;
                        control = opcode >= 8 ? new byte[(int) length] : null;
                    }
                    break;
                }
                case LONG_LENGTH:
                    length = length << 8 | input.get() & 0xFF;
                    if (++have == need) {
                        if (length < 0 || length + message.size() > maxMessage) {
                            throw new ProtocolError(1009, "message of " + length + " bytes");
                        }
                        have = 0;
                        control = null;
                        step = masked ? Step.MASK : Step.PAYLOAD;
                    }
                    break;
                case MASK:
                    mask[have++] = input.get();
                    if (have == 4) {
                        have = 0;
                        step = Step.PAYLOAD;
                    }
                    break;
                case PAYLOAD: {
                    while (length > 0 && input.hasRemaining()) {
                        byte p = input.get();
                        if (masked) {
                            p ^= mask[have & 3];
                        }
                        if (control != null) {
                            control[have] = p;
                        } else {
                            message.write(p);
                        }
                        have++;
                        length--;
                    }
                    if (length > 0) {
                        return;
                    }
                    step = Step.FIRST;
                    if (opcode == 8) {
                        int code = 1005;
                        String why = "";
                        if (control.length == 1) {
                            throw new ProtocolError(1002, "half a close code");
                        }
                        if (control.length >= 2) {
                            code = (control[0] & 0xFF) << 8 | control[1] & 0xFF;
                            why = strictUtf8(control, 2, control.length - 2);
                        }
                        handler.closed(code, why);
                        return;
                    }
                    if (opcode == 9 && !handler.ping(control)) {
                        throw new ProtocolError(1008, "ping refused");
                    }
                    if (opcode < 8 && fin) {
                        byte[] whole = message.toByteArray();
                        if (compressed) {
                            whole = inflate(whole);
                        }
                        int kind = messageOpcode;
                        messageOpcode = 0;
                        if (kind == 1) {
                            handler.text(strictUtf8(whole, 0, whole.length));
                        } else {
                            handler.binary(whole);
                        }
                    }
                    break;
                }
            }
        }
    }

    private static String strictUtf8(byte[] bytes, int from, int count) throws ProtocolError {
        try {
            CharBuffer chars = StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, from, count));
            return chars.toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolError(1007, "text is not UTF-8");
        }
    }

    private byte[] inflate(byte[] squeezed) throws ProtocolError {
        Inflater inflater = new Inflater(true);
        inflater.setInput(squeezed);
        ByteArrayOutputStream wide = new ByteArrayOutputStream(squeezed.length * 3);
        byte[] block = new byte[2048];
        try {
            for (int n = inflater.inflate(block); n > 0; n = inflater.inflate(block)) {
                wide.write(block, 0, n);
                if (wide.size() > maxMessage) throw new ProtocolError(1009, "inflates to too much");
            }
        } catch (DataFormatException e) {
            throw new ProtocolError(1007, e.getMessage());
        } finally {
            inflater.end();
        }
        return wide.toByteArray();
    }

    /** Wraps a payload into one masked frame. */
    static byte[] frame(int opcode, byte[] payload, SecureRandom random) {
        int extra = payload.length < 126 ? 0 : payload.length < 65536 ? 2 : 8;
        ByteBuffer frame = ByteBuffer.allocate(6 + extra + payload.length);
        frame.put((byte) (0x80 | opcode));
        frame.put((byte) (0x80 | (extra == 0 ? payload.length : extra == 2 ? 126 : 127)));
        if (extra == 2) frame.putShort((short) payload.length);
        if (extra == 8) frame.putLong(payload.length);
        byte[] key = new byte[4];
        random.nextBytes(key);
        frame.put(key);
        for (int i = 0; i < payload.length; i++) frame.put((byte) (payload[i] ^ key[i % 4]));
        return frame.array();
    }

    /** Checks the trailing sum of a stored frame. */
    static boolean intact(byte[] stored) {
        CRC32 crc = new CRC32();
        crc.update(stored, 0, stored.length - 4);
        return (int) crc.getValue() == ByteBuffer.wrap(stored, stored.length - 4, 4).getInt();
    }
}
