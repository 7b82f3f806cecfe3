package io.graniteowl.sockline;

import android.content.SharedPreferences;
import android.text.InputFilter;
import android.text.Spanned;
import android.text.TextUtils;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Understands lines that start with a slash. */
class CommandDesk {

    interface Room {
        void say(String who, String what);

        void local(String hint);

        boolean kick(String nick, String why);

        /** Speaks in the third person. */
        default void act(String who, String deed) {
            say("*", who + " " + deed.trim());
        }
    }

    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, ScheduledFuture<?>> reminders = new HashMap<>();
    private final List<String> history = new ArrayList<>();
    private final SharedPreferences settings;
    private final ScheduledExecutorService timer;
    private final Random dice = new Random();
    private String topic = "";
    private boolean away;

    CommandDesk(SharedPreferences settings, ScheduledExecutorService timer) {
        this.settings = settings;
        this.timer = timer;
    }

    /**
     * Carries out one typed line: plain text is said, slash commands are executed, aliases are expanded first.
     *
     * @return false if the line was not understood
     */
    boolean execute(final Room room, final String me, String line) {
        history.add(line);
        if (!line.startsWith("/")) {
            if (away) {
                away = false;
                room.local("you are back");
            }
            room.say(me, line);
            return true;
        }
        String rest = line.substring(1);
        for (int depth = 0; depth < 4; depth++) {
            String head = TextUtils.split(rest + " ", " ")[0];
            String longer = aliases.get(head);
            if (longer == null) {
                break;
            }
            rest = longer + rest.substring(head.length());
        }
        StringTokenizer words = new StringTokenizer(rest);
        if (!words.hasMoreTokens()) {
            room.local("a slash alone does nothing");
            return false;
        }
        String command = words.nextToken().toLowerCase();
        String tail = rest.length() > command.length() ? rest.substring(command.length() + 1).trim() : "";
        switch (command) {
            case "me":
                room.act(me, tail);
                return true;
            case "topic":
                if (tail.isEmpty()) {
                    room.local(topic.isEmpty() ? "no topic" : "topic: " + topic);
                } else {
                    topic = tail;
                    room.act(me, "changes the topic to \"" + tail + "\"");
                }
                return true;
            case "roll": {
                int count = 1;
                int sides = 6;
                int bonus = 0;
                if (words.hasMoreTokens()) {
                    String spec = words.nextToken();
                    int d = spec.indexOf('d');
                    int plus = spec.indexOf('+');
                    try {
                        if (plus > 0) {
                            bonus = Integer.parseInt(spec.substring(plus + 1));
                            spec = spec.substring(0, plus);
                        }
                        if (d > 0) {
                            count = Integer.parseInt(spec.substring(0, d));
                        }
                        sides = Integer.parseInt(spec.substring(d + 1));
                    } catch (NumberFormatException e) {
                        room.local("cannot roll " + spec);
                        return false;
                    }
                }
                if (count > 50 || sides < 2) {
                    room.local("these dice do not exist");
                    return false;
                }
                int sum = bonus;
                StringBuilder shown = new StringBuilder();
                for (int i = 0; i < count; i++) {
                    int face = 1 + dice.nextInt(sides);
                    sum += face;
                    shown.append(i == 0 ? "" : "+").append(face);
                }
                room.act(me, "rolls " + shown + " = " + sum);
                return true;
            }
            case "alias":
                if (!words.hasMoreTokens()) {
                    for (Map.Entry<String, String> a : aliases.entrySet()) {
                        room.local(a.getKey() + " -> " + a.getValue());
                    }
                    return true;
                }
                String shortName = words.nextToken();
                if (!words.hasMoreTokens()) {
                    return aliases.remove(shortName) != null;
                }
                aliases.put(shortName, tail.substring(shortName.length()).trim());
                settings.edit().putString("alias." + shortName, aliases.get(shortName)).apply();
                return true;
            case "remind":
                final String due = words.hasMoreTokens() ? words.nextToken() : "";
                if (due.equals("off")) {
                    for (ScheduledFuture<?> waiting : reminders.values()) {
                        waiting.cancel(false);
                    }
                    reminders.clear();
                    return true;
                }
                if (!due.matches("\\d+[smh]")) {
                    room.local("say for example /remind 10m tea");
                    return false;
                }
                long amount = Long.parseLong(due.substring(0, due.length() - 1));
                char unit = due.charAt(due.length() - 1);
                TimeUnit scale = unit == 's' ? TimeUnit.SECONDS : unit == 'm' ? TimeUnit.MINUTES : TimeUnit.HOURS;
                final String what = tail.substring(due.length()).trim();
                reminders.put(what, timer.schedule(() -> room.local("reminder: " + what), amount, scale));
                return true;
            case "kick":
                if (!words.hasMoreTokens() || !settings.getBoolean("operator", false)) {
                    room.local("you may not do that");
                    return false;
                }
                String victim = words.nextToken();
                return room.kick(victim, tail.equals(victim) ? "no reason" : tail.substring(victim.length() + 1));
            case "away":
                away = !away;
                room.act(me, away ? "is away: " + tail : "is back");
                return true;
            case "again":
                for (int i = history.size() - 2; i >= 0; i--) {
                    if (!history.get(i).startsWith("/again")) {
                        return execute(room, me, history.get(i));
                    }
                }
                return false;
            default:
                room.local("unknown command " + command);
                return false;
        }
    }

    /** Steps through older lines with the arrow keys. */
    String recall(int steps, String prefix) {
        ListIterator<String> back = history.listIterator(history.size());
        String hit = null;
        while (steps > 0 && back.hasPrevious()) {
            String candidate = back.previous();
            if (candidate.startsWith(prefix) && !candidate.equals(hit)) {
                hit = candidate;
                steps--;
            }
        }
        return hit == null ? prefix : hit;
    }

    /** Keeps people from pasting whole novels. */
    static InputFilter pasteGuard(SharedPreferences rules, boolean operator) {
        int wished = rules.getInt("longest", 400);
        final int most = operator ? Math.max(wished, 4000) : Math.min(wished, 1000);
        return new InputFilter() {
            @Override
            public CharSequence filter(CharSequence src, int s, int e, Spanned dst, int ds, int de) {
                int room = most - (dst.length() - (de - ds));
                if (room <= 0) return "";
                return e - s <= room ? null : src.subSequence(s, s + room);
            }
        };
    }

    String greeting(String nick) {
        int hour = Calendar.getInstance().get(Calendar.HOUR_OF_DAY);
        String[] words = {"Still up", "Good morning", "Hello", "Good evening"};
        return words[hour / 6] + ", " + nick + (topic.isEmpty() ? "" : " - " + topic);
    }

    /** Suggests the command that was probably meant. */
    static String didYouMean(String wrong, String... known) {
        char[] letters = wrong.toCharArray();
        Arrays.sort(letters);
        String best = null;
        int most = 1;
        for (String k : known) {
            int common = 0;
            for (char c : k.toCharArray()) {
                if (Arrays.binarySearch(letters, c) >= 0) common += 2;
                else common--;
            }
            if (common > most) {
                most = common;
                best = k;
            }
        }
        return best;
    }
}
