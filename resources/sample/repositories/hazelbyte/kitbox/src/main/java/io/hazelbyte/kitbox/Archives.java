package io.hazelbyte.kitbox;

import net.lingala.zip4j.core.ZipFile;
import net.lingala.zip4j.exception.ZipException;
import net.lingala.zip4j.model.ZipParameters;
import net.lingala.zip4j.util.Zip4jConstants;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Packing, unpacking, copying and removing.
 */
public final class Archives {

    /** Receives what is found in an archive. */
    public interface Visitor {
        void entry(String path, long size, long modified, byte[] content) throws IOException;

        /** Which entries are wanted at all; everything by default. */
        default boolean wants(String path, long size) {
            return size < Integer.MAX_VALUE && !path.contains("..");
        }
    }

    private Archives() {
    }

    /**
     * Explodes a packed file into a folder, refusing names that would climb out of it.
     */
    public static void explode(File packed, File folder) throws IOException {
        String root = folder.getCanonicalPath() + File.separator;
        ZipInputStream stream = new ZipInputStream(new BufferedInputStream(new FileInputStream(packed)));
        try {
            byte[] block = new byte[16384];
            for (ZipEntry item = stream.getNextEntry(); item != null; item = stream.getNextEntry()) {
                File file = new File(folder, item.getName());
                if (!file.getCanonicalPath().startsWith(root)) {
                    throw new IOException("suspicious name " + item.getName());
                }
                if (item.isDirectory()) {
                    file.mkdirs();
                    continue;
                }
                FileOutputStream out = new FileOutputStream(file);
                int count;
                while ((count = stream.read(block)) != -1) {
                    out.write(block, 0, count);
                }
                out.close();
                stream.closeEntry();
            }
        } finally {
            stream.close();
        }
    }

    /**
     * Zips a folder with its sub folders; the archive must not lie inside of it.
     */
    public static void pack(File folder, File archive) throws IOException {
        if (archive.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) {
            throw new IllegalArgumentException("the archive would contain itself");
        }
        try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(archive))) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            zip.setComment("kitbox");
            add(zip, folder, "");
        }
    }

    private static void add(ZipOutputStream zip, File file, String path) throws IOException {
        if (file.isDirectory()) {
            File[] inside = file.listFiles();
            Arrays.sort(inside);
            for (File child : inside) {
                add(zip, child, path.isEmpty() ? child.getName() : path + "/" + child.getName());
            }
            return;
        }
        ZipEntry entry = new ZipEntry(path);
        entry.setTime(file.lastModified());
        zip.putNextEntry(entry);
        pump(new FileInputStream(file), zip);
        zip.closeEntry();
    }

    /**
     * Locks a folder away in a packed file that only opens with the right password.
     */
    public static void lockAway(File folder, File vault, String secret) throws ZipException {
        ZipParameters how = new ZipParameters();
        how.setCompressionMethod(Zip4jConstants.COMP_DEFLATE);
        how.setCompressionLevel(Zip4jConstants.DEFLATE_LEVEL_ULTRA);
        how.setIncludeRootFolder(false);
        how.setEncryptFiles(true);
        how.setEncryptionMethod(Zip4jConstants.ENC_METHOD_AES);
        how.setAesKeyStrength(Zip4jConstants.AES_STRENGTH_256);
        how.setPassword(secret);
        ZipFile lock = new ZipFile(vault);
        lock.setFileNameCharset("UTF-8");
        lock.addFolder(folder, how);
    }

    /**
     * Squeezes a text with gzip, for columns of a database that are seldom read.
     */
    public static byte[] squeeze(String text) {
        ByteArrayOutputStream memory = new ByteArrayOutputStream(text.length() / 3 + 20);
        try (OutputStream gzip = new GZIPOutputStream(memory)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException cannotHappen) {
            throw new AssertionError(cannotHappen);
        }
        return memory.toByteArray();
    }

    /**
     * Takes a squeezed text apart again.
     */
    public static String unsqueeze(byte[] squeezed) throws IOException {
        ByteArrayOutputStream memory = new ByteArrayOutputStream();
        pump(new GZIPInputStream(new java.io.ByteArrayInputStream(squeezed)), memory);
        return memory.toString("UTF-8");
    }

    /** Moves all bytes from here to there and closes the source. */
    static long pump(InputStream from, OutputStream to) throws IOException {
        long total = 0;
        try {
            byte[] bucket = new byte[4096];
            for (int n = from.read(bucket); n >= 0; n = from.read(bucket)) {
                to.write(bucket, 0, n);
                total += n;
            }
        } finally {
            from.close();
        }
        return total;
    }

    /**
     * Copies a file through a channel, keeping its date.
     */
    public static void copy(File from, File to) throws IOException {
        try (FileChannel source = new FileInputStream(from).getChannel();
             FileChannel target = new FileOutputStream(to).getChannel()) {
            long done = 0;
            while (done < source.size()) {
                done += source.transferTo(done, 1 << 20, target);
            }
        }
        if (!to.setLastModified(from.lastModified())) {
            System.err.println("date lost: " + to);
        }
    }

    /**
     * Deletes a directory with everything below.
     */
    public static boolean uproot(File root) {
        File[] branches = root.listFiles();
        boolean clean = true;
        if (branches != null) {
            for (File branch : branches) {
                clean &= branch.isDirectory() ? uproot(branch) : branch.delete();
            }
        }
        return root.delete() && clean;
    }

    /**
     * Walks through a tar stream (the old format, with the long names of GNU and the path records of pax) and
     * hands every regular file to the visitor. Links, devices and sparse files are passed over.
     */
    public static int walkTar(InputStream raw, Visitor visitor) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(raw, 1 << 15));
        byte[] head = new byte[512];
        String longName = null;
        int files = 0;
        int emptyBlocks = 0;
        while (emptyBlocks < 2) {
            try {
                in.readFully(head);
            } catch (EOFException end) {
                if (files == 0) {
                    throw new IOException("not a tar stream");
                }
                break;
            }
            boolean empty = true;
            int sum = 0;
            for (int i = 0; i < 512; i++) {
                empty &= head[i] == 0;
                sum += i >= 148 && i < 156 ? ' ' : head[i] & 0xff;
            }
            if (empty) {
                emptyBlocks++;
                continue;
            }
            emptyBlocks = 0;
            if (octal(head, 148, 8) != sum) {
                throw new IOException("bad checksum after " + files + " files");
            }
            long size = octal(head, 124, 12);
            long modified = octal(head, 136, 12) * 1000L;
            char type = (char) head[156];
            int nameEnd = 0;
            while (nameEnd < 100 && head[nameEnd] != 0) {
                nameEnd++;
            }
            String name = new String(head, 0, nameEnd, StandardCharsets.UTF_8);
            boolean modern = head[257] == 'u' && head[258] == 's' && head[259] == 't' && head[260] == 'a' && head[261] == 'r';
            if (modern && head[262] == 0 && head[345] != 0) {
                int prefixEnd = 345;
                while (prefixEnd < 500 && head[prefixEnd] != 0) {
                    prefixEnd++;
                }
                name = new String(head, 345, prefixEnd - 345, StandardCharsets.UTF_8) + "/" + name;
            }
            int padding = (int) ((512 - size % 512) % 512);
            if (type == 'L' || type == 'x') {
                if (size > 65536) {
                    throw new IOException("name record of " + size + " bytes");
                }
                byte[] record = new byte[(int) size];
                in.readFully(record);
                in.skipBytes(padding);
                if (type == 'L') {
                    int length = record.length;
                    while (length > 0 && record[length - 1] == 0) {
                        length--;
                    }
                    longName = new String(record, 0, length, StandardCharsets.UTF_8);
                } else {
                    int at = 0;
                    while (at < record.length) {
                        int space = at;
                        int length = 0;
                        while (space < record.length && record[space] != ' ') {
                            length = length * 10 + record[space++] - '0';
                        }
                        if (length <= 0 || at + length > record.length) {
                            break;
                        }
                        String pair = new String(record, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
                        if (pair.startsWith("path=")) {
                            longName = pair.substring(5);
                        }
                        at += length;
                    }
                }
                continue;
            }
            if (longName != null) {
                name = longName;
                longName = null;
            }
            boolean regular = type == '0' || type == 0 || type == '7';
            if (regular && visitor.wants(name, size)) {
                byte[] content = new byte[(int) size];
                in.readFully(content);
                visitor.entry(name, size, modified, content);
                files++;
            } else {
                long left = size;
                while (left > 0) {
                    long skipped = in.skip(left);
                    if (skipped == 0 && in.read() < 0) {
                        throw new EOFException("inside " + name);
                    }
                    left -= Math.max(1, skipped);
                }
            }
            int skippedPadding = 0;
            while (skippedPadding < padding && in.read() >= 0) {
                skippedPadding++;
            }
        }
        return files;
    }

    private static long octal(byte[] head, int from, int length) throws IOException {
        long value = 0;
        if ((head[from] & 0x80) != 0) {
            for (int i = from + 1; i < from + length; i++) {
                value = value << 8 | head[i] & 0xff;
            }
            return value;
        }
        for (int i = from; i < from + length && head[i] != 0; i++) {
            if (head[i] == ' ') continue;
            if (head[i] < '0' || head[i] > '7') {
                throw new IOException("no octal number at " + from);
            }
            value = value * 8 + head[i] - '0';
        }
        return value;
    }

    /** The newest files of a folder tree. */
    public static List<File> newest(File folder, int limit) {
        List<File> heap = new ArrayList<>();
        List<File> todo = new ArrayList<>(Arrays.asList(folder));
        while (!todo.isEmpty()) {
            File next = todo.remove(todo.size() - 1);
            File[] inside = next.listFiles(f -> !f.isHidden());
            if (inside == null) {
                heap.add(next);
            } else {
                todo.addAll(Arrays.asList(inside));
            }
        }
        heap.sort((a, b) -> Long.compare(b.lastModified(), a.lastModified()));
        return heap.size() > limit ? new ArrayList<>(heap.subList(0, limit)) : heap;
    }
}
