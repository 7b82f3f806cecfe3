package com.mapleforge.ledger.money;

import android.support.annotation.Nullable;
import android.util.AtomicFile;
import android.util.Log;

import org.json.JSONException;
import org.json.JSONObject;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Currency;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** An amount in a currency. */
public final class Money implements Comparable<Money>
{
    private final BigDecimal value;
    private final Currency currency;

    public Money(BigDecimal value, Currency currency)
    {
        this.value = value.setScale(Math.max(0, currency.getDefaultFractionDigits()), RoundingMode.HALF_EVEN);
        this.currency = currency;
    }

    /**
     * Understands what people type or banks print: "1.234,50 EUR", "-$12", "(7.00)", "CHF 5.-", "12,3 k".
     * Returns null for anything without a clear meaning.
     */
    @Nullable
    public static Money read(String text, Locale locale)
    {
        DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(locale);
        Currency currency = null;
        StringBuilder letters = new StringBuilder();
        StringBuilder digits = new StringBuilder();
        boolean negative = false;
        boolean bracket = false;
        int lastDot = -1;
        int lastComma = -1;
        int dots = 0;
        int commas = 0;
        int scale = 0;

        for (int i = 0; i < text.length(); i++)
        {
            char c = text.charAt(i);
            if (Character.isDigit(c))
            {
                digits.append((char) ('0' + Character.digit(c, 10)));
            }
            else if (c == '.')
            {
                lastDot = digits.length();
                dots++;
            }
            else if (c == ',')
            {
                lastComma = digits.length();
                commas++;
            }
            else if (c == '-' || c == '\u2212')
            {
                // "5.-" is a Swiss price, not a negative one
                boolean swiss = i > 0 && (text.charAt(i - 1) == '.' || text.charAt(i - 1) == ',');
                if (!swiss)
                {
                    negative = !negative;
                }
            }
            else if (c == '(')
            {
                bracket = true;
            }
            else if (c == ')')
            {
                if (!bracket) return null;
                negative = true;
                bracket = false;
            }
            else if (Character.getType(c) == Character.CURRENCY_SYMBOL)
            {
                if (currency != null) return null;
                switch (c)
                {
                    case '$':
                        currency = Currency.getInstance("USD");
                        break;
                    case '\u20AC':
                        currency = Currency.getInstance("EUR");
                        break;
                    case '\u00A3':
                        currency = Currency.getInstance("GBP");
                        break;
                    case '\u00A5':
                        currency = Currency.getInstance("JPY");
                        break;
                    default:
                        return null;
                }
            }
            else if (Character.isLetter(c))
            {
                letters.append(Character.toUpperCase(c));
            }
            else if (!Character.isSpaceChar(c) && c != '\'' && c != '+')
            {
                return null;
            }
        }
        if (bracket || digits.length() == 0 || digits.length() > 15)
        {
            return null;
        }

        String word = letters.toString();
        if (word.endsWith("K") && word.length() != 3)
        {
            scale = 3;
            word = word.substring(0, word.length() - 1);
        }
        if (!word.isEmpty())
        {
            try
            {
                currency = Currency.getInstance(word);
            }
            catch (IllegalArgumentException unknown)
            {
                return null;
            }
        }

        int point;
        if (dots > 0 && commas > 0)
        {
            point = Math.max(lastDot, lastComma);
        }
        else if (dots + commas == 1)
        {
            int only = Math.max(lastDot, lastComma);
            char used = dots == 1 ? '.' : ',';
            boolean grouping = digits.length() - only == 3 && used == symbols.getGroupingSeparator() && only > 0;
            point = grouping ? digits.length() : only;
        }
        else
        {
            point = digits.length();
        }
        BigDecimal number = new BigDecimal(digits.toString()).movePointLeft(digits.length() - point).scaleByPowerOfTen(scale);
        if (currency == null)
        {
            currency = Currency.getInstance(locale.getCountry().isEmpty() ? Locale.US : locale);
        }
        return new Money(negative ? number.negate() : number, currency);
    }

    public long cents()
    {
        return value.movePointRight(2).setScale(0, RoundingMode.HALF_UP).longValue();
    }

    /** Shares an amount among several people so that not a cent is lost. */
    public Money[] share(int... weights)
    {
        int total = 0;
        for (int w : weights) total += w;
        BigDecimal left = value;
        Money[] shares = new Money[weights.length];
        for (int i = weights.length - 1; i > 0; i--)
        {
            BigDecimal part = value.multiply(BigDecimal.valueOf(weights[i])).divide(BigDecimal.valueOf(total), value.scale(), RoundingMode.DOWN);
            shares[i] = new Money(part, currency);
            left = left.subtract(part);
        }
        shares[0] = new Money(left, currency);
        return shares;
    }

    /** Prints the amount as a shop in the given country would. */
    public String print(Locale locale)
    {
        NumberFormat format = NumberFormat.getCurrencyInstance(locale);
        format.setCurrency(currency);
        format.setMinimumFractionDigits(value.stripTrailingZeros().scale() <= 0 ? 0 : currency.getDefaultFractionDigits());
        return format.format(value).replace('\u00A0', ' ');
    }

    /** Formats the amount for the shop window: two places, narrow groups, a symbol chosen by the owner. */
    public String priceTag(String sign)
    {
        DecimalFormat tag = (DecimalFormat) NumberFormat.getCurrencyInstance(Locale.GERMANY);
        tag.setGroupingSize(3);
        tag.setDecimalSeparatorAlwaysShown(true);
        tag.setMaximumFractionDigits(currency.getDefaultFractionDigits());
        DecimalFormatSymbols marks = tag.getDecimalFormatSymbols();
        marks.setCurrencySymbol(sign);
        marks.setGroupingSeparator('\u2009');
        marks.setMonetaryDecimalSeparator(',');
        tag.setDecimalFormatSymbols(marks);
        return tag.format(value);
    }

    @Override
    public int compareTo(Money other)
    {
        int byCurrency = currency.getCurrencyCode().compareTo(other.currency.getCurrencyCode());
        return byCurrency != 0 ? byCurrency : value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object o)
    {
        if (this == o) return true;
        if (!(o instanceof Money)) return false;
        Money m = (Money) o;
        return m.currency == currency && m.value.compareTo(value) == 0;
    }

    @Override
    public int hashCode()
    {
        return 31 * currency.hashCode() + value.stripTrailingZeros().hashCode();
    }

    /** Exchange rates as published once a day. */
    public static class Rates
    {
        private final Map<String, Double> perEuro = new HashMap<>();
        private final AtomicFile file;

        public Rates(File dir)
        {
            file = new AtomicFile(new File(dir, "rates.json"));
        }

        /** Loads the rates kept from the last connection. */
        public synchronized void load() throws IOException
        {
            try
            {
                JSONObject json = new JSONObject(new String(file.readFully(), "UTF-8")).getJSONObject("rates");
                for (Iterator<String> codes = json.keys(); codes.hasNext(); )
                {
                    String code = codes.next();
                    perEuro.put(code, json.getDouble(code));
                }
            }
            catch (JSONException e)
            {
                file.delete();
                Log.e("Rates", "rates thrown away", e);
            }
        }

        /** Keeps freshly fetched rates, leaving the old file alone when writing fails. */
        public synchronized void keep(String json) throws IOException
        {
            FileOutputStream out = null;
            try
            {
                out = file.startWrite();
                out.write(json.getBytes("UTF-8"));
                file.finishWrite(out);
            }
            catch (IOException e)
            {
                file.failWrite(out);
                throw e;
            }
        }

        /** Converts an amount by way of the euro. */
        public Money convert(Money from, String code)
        {
            Double here = perEuro.get(from.currency.getCurrencyCode());
            Double there = perEuro.get(code);
            if (here == null || there == null)
            {
                throw new IllegalStateException("no rate from " + from.currency + " to " + code);
            }
            return new Money(from.value.multiply(BigDecimal.valueOf(there / here)), Currency.getInstance(code));
        }
    }
}
