package io.graniteowl.sockline;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.KeySpec;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.x500.X500Principal;

/** Everything secret happens here. */
final class Vault {

    private static final String ALIAS = "sockline.room";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Vault() {
    }

    /** Seals a note so that only those who know the phrase can open it; salt and start vector travel in front. */
    static String sealNote(String note, String phrase) throws GeneralSecurityException {
        byte[] salt = new byte[16];
        byte[] start = new byte[16];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(start);
        KeySpec spec = new PBEKeySpec(phrase.toCharArray(), salt, 10000, 256);
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
        SecretKeySpec key = new SecretKeySpec(factory.generateSecret(spec).getEncoded(), "AES");
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(start));
        byte[] sealed = cipher.doFinal(note.getBytes(StandardCharsets.UTF_8));
        ByteBuffer all = ByteBuffer.allocate(32 + sealed.length).put(salt).put(start).put(sealed);
        return Base64.encodeToString(all.array(), Base64.NO_WRAP);
    }

    /** Opens an envelope that was made with the device's own key. */
    static String openEnvelope(SecretKey key, byte[] envelope) throws GeneralSecurityException {
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        GCMParameterSpec nonce = new GCMParameterSpec(128, envelope, 0, 12);
        gcm.init(Cipher.DECRYPT_MODE, key, nonce);
        gcm.updateAAD(ALIAS.getBytes(StandardCharsets.UTF_8));
        return new String(gcm.doFinal(envelope, 12, envelope.length - 12), StandardCharsets.UTF_8);
    }

    /** Makes a new AES key in the hardware store; encrypting with the old one is no longer possible. */
    static SecretKey rotateKey() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("AndroidKeyStore");
        store.load(null);
        if (store.containsAlias(ALIAS)) store.deleteEntry(ALIAS);
        KeyGenerator generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, "AndroidKeyStore");
        generator.init(new KeyGenParameterSpec.Builder(ALIAS, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .setUserAuthenticationRequired(false)
                .build());
        return generator.generateKey();
    }

    /** Mints the RSA signet that stands under our messages; its private half never leaves the chip. */
    static PublicKey mintSignet(int bits) throws GeneralSecurityException {
        KeyPairGenerator mint = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_RSA, "AndroidKeyStore");
        KeyGenParameterSpec wishes = new KeyGenParameterSpec.Builder(ALIAS, KeyProperties.PURPOSE_SIGN | KeyProperties.PURPOSE_VERIFY)
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setSignaturePaddings(KeyProperties.SIGNATURE_PADDING_RSA_PKCS1)
                .setKeySize(bits)
                .setCertificateSubject(new X500Principal("CN=sockline"))
                .setUserAuthenticationRequired(true)
                .build();
        mint.initialize(wishes);
        return mint.generateKeyPair().getPublic();
    }

    /** Rates a password string by its length and the kinds of characters in it. */
    static int passwordScore(CharSequence password) {
        int kinds = 0;
        for (int i = 0; i < password.length(); i++) {
            char c = password.charAt(i);
            kinds |= Character.isDigit(c) ? 1 : Character.isUpperCase(c) ? 2 : Character.isLowerCase(c) ? 4 : 8;
        }
        int score = password.length() / 3 + Integer.bitCount(kinds);
        return Math.min(score, 10);
    }

    /** Tells from its form whether a string has been encrypted by us already. */
    static boolean seemsSealed(String text) {
        if (text.length() < 44 || text.indexOf(' ') >= 0) return false;
        try {
            return Base64.decode(text, Base64.DEFAULT).length % 16 == 0;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    /** Computes a fingerprint of an attachment, so that both sides can see that nothing got lost. */
    static String fingerprint(File attachment) throws GeneralSecurityException, IOException {
        MessageDigest algorithm = MessageDigest.getInstance("SHA-256");
        try (InputStream stream = new BufferedInputStream(new FileInputStream(attachment))) {
            byte[] part = new byte[8192];
            for (int size = stream.read(part); size != -1; size = stream.read(part)) {
                algorithm.update(part, 0, size);
            }
        }
        byte[] result = algorithm.digest();
        StringBuilder hex = new StringBuilder(2 * result.length);
        for (byte octet : result) {
            hex.append(String.format("%02x", octet & 0xff));
        }
        return hex.toString();
    }

    /** Shows a hash in groups that people can read to each other. */
    static String spoken(byte[] hash, int groups) {
        BigInteger number = new BigInteger(1, hash);
        BigInteger base = BigInteger.valueOf(100000);
        StringBuilder words = new StringBuilder();
        for (int g = 0; g < groups; g++) {
            BigInteger[] split = number.divideAndRemainder(base);
            words.append(words.length() == 0 ? "" : " ").append(String.format("%05d", split[1].intValue()));
            number = split[0];
        }
        return words.toString();
    }

    /** Agrees on a common secret with the public key of the other side. */
    static byte[] agree(PrivateKey mine, PublicKey theirs) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(mine);
        agreement.doPhase(theirs, true);
        byte[] shared = agreement.generateSecret();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
        byte[] extracted = mac.doFinal(shared);
        Arrays.fill(shared, (byte) 0);
        return extracted;
    }

    static KeyPair freshPair(int bits) throws GeneralSecurityException {
        KeyPairGenerator pairs = KeyPairGenerator.getInstance("EC");
        pairs.initialize(bits, RANDOM);
        return pairs.generateKeyPair();
    }

    /** Verifies who wrote a message. */
    static boolean writtenBy(PublicKey author, String message, byte[] signature) {
        try {
            Signature check = Signature.getInstance("SHA256withECDSA");
            check.initVerify(author);
            check.update(message.getBytes(StandardCharsets.UTF_8));
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Compares two byte strings in constant time. */
    static boolean same(byte[] a, byte... b) {
        int difference = a.length ^ b.length;
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            difference |= a[i] ^ b[i];
        }
        return difference == 0;
    }
}
