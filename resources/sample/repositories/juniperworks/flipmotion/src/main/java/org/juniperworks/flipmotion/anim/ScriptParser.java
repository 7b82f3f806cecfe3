package org.juniperworks.flipmotion.anim;

import android.animation.Animator;
import android.animation.AnimatorSet;
import android.animation.Keyframe;
import android.animation.ObjectAnimator;
import android.animation.PropertyValuesHolder;
import android.animation.TimeInterpolator;
import android.animation.ValueAnimator;
import android.graphics.Color;
import android.util.Log;
import android.view.View;
import android.view.animation.AnticipateInterpolator;
import android.view.animation.BounceInterpolator;
import android.view.animation.LinearInterpolator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A tiny language for choreographies:
 * <pre>
 *   together {
 *     card.rotationY 0 -> 90 in 300ms ease bounce
 *     badge.alpha [0:1, 0.3:0, 1:1] in 1s after 200ms x2
 *   }
 * </pre>
 */
public class ScriptParser {

  /** Finds the view for a name in the script. */
  public interface Stage {
    View actor(String name);
  }

  enum Ease {
    LINEAR, BOUNCE, ELASTIC, ANTICIPATE;

    /** Creates the interpolator for the word after "ease". */
    TimeInterpolator create() {
      switch (this) {
        case BOUNCE:
          return new BounceInterpolator();
        case ELASTIC:
          return t -> t == 0f || t == 1f ? t
              : (float) (Math.pow(2, -10 * t) * Math.sin((t - 0.1) * 5 * Math.PI) + 1);
        case ANTICIPATE:
          return new AnticipateInterpolator(1.5f);
        default:
          return new LinearInterpolator();
      }
    }
  }

  private static final String TAG = "ScriptParser";

  private final List<String> tokens = new ArrayList<>();
  private int pos;

  /** Cuts the script into words, numbers and punctuation. */
  List<String> tokenize(CharSequence text) {
    tokens.clear();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (c == '/' && i + 1 < text.length() && text.charAt(i + 1) == '/') {
        while (i < text.length() && text.charAt(i) != '\n') i++;
      } else if ("{}[],:".indexOf(c) >= 0) {
        tokens.add(String.valueOf(c));
        i++;
      } else {
        int from = i;
        while (i < text.length() && !Character.isWhitespace(text.charAt(i)) && "{}[],:".indexOf(text.charAt(i)) < 0) i++;
        tokens.add(text.subSequence(from, i).toString());
      }
    }
    return tokens;
  }

  /** Reads a duration such as 250ms or 1.5s. */
  static long millis(String word) {
    String w = word.toLowerCase(Locale.ROOT);
    double scale = w.endsWith("ms") ? 1 : w.endsWith("s") ? 1000 : Double.NaN;
    if (Double.isNaN(scale)) {
      throw new IllegalArgumentException("time without unit: " + word);
    }
    String digits = w.replaceAll("m?s$", "");
    return Math.round(Double.parseDouble(digits) * scale);
  }

  /**
   * Translates a whole script into one animator. Blocks may be nested; mistakes raise an
   * exception that names the offending word and its number.
   */
  public Animator parse(CharSequence script, Stage stage) {
    tokenize(script);
    pos = 0;
    Deque<List<Animator>> open = new ArrayDeque<>();
    Deque<Boolean> parallel = new ArrayDeque<>();
    open.push(new ArrayList<>());
    parallel.push(false);
    Map<String, View> actors = new HashMap<>();

    while (pos < tokens.size()) {
      String word = tokens.get(pos++);
      if (word.equals("together") || word.equals("sequence")) {
        if (pos >= tokens.size() || !tokens.get(pos).equals("{")) {
          throw new IllegalStateException("'{' expected after " + word + " at word " + pos);
        }
        pos++;
        open.push(new ArrayList<>());
        parallel.push(word.equals("together"));
        continue;
      }
      if (word.equals("}")) {
        if (open.size() == 1) {
          throw new IllegalStateException("one '}' too many at word " + pos);
        }
        List<Animator> inside = open.pop();
        AnimatorSet block = new AnimatorSet();
        if (parallel.pop()) {
          block.playTogether(inside);
        } else {
          block.playSequentially(inside);
        }
        if (!inside.isEmpty()) {
          open.peek().add(block);
        }
        continue;
      }
      if (word.equals("pause")) {
        ValueAnimator wait = ValueAnimator.ofFloat(0f, 1f);
        wait.setDuration(millis(tokens.get(pos++)));
        open.peek().add(wait);
        continue;
      }

      // actor.property
      int dot = word.indexOf('.');
      if (dot <= 0 || dot == word.length() - 1) {
        throw new IllegalStateException("actor.property expected instead of " + word + " at word " + pos);
      }
      String name = word.substring(0, dot);
      String property = word.substring(dot + 1);
      View actor = actors.get(name);
      if (actor == null) {
        actor = stage.actor(name);
        if (actor == null) {
          Log.w(TAG, "nobody called " + name + ", line ignored");
        } else {
          actors.put(name, actor);
        }
      }

      // values: either a keyframe list or "a -> b -> c"
      PropertyValuesHolder values;
      if (tokens.get(pos).equals("[")) {
        pos++;
        List<Keyframe> frames = new ArrayList<>();
        float previous = -1f;
        while (!tokens.get(pos).equals("]")) {
          float fraction = Float.parseFloat(tokens.get(pos++));
          if (!tokens.get(pos++).equals(":")) {
            throw new IllegalStateException("':' expected at word " + pos);
          }
          if (fraction <= previous || fraction > 1f) {
            throw new IllegalStateException("fractions must rise from 0 to 1 at word " + pos);
          }
          frames.add(Keyframe.ofFloat(fraction, Float.parseFloat(tokens.get(pos++))));
          previous = fraction;
          if (tokens.get(pos).equals(",")) {
            pos++;
          }
        }
        pos++;
        values = PropertyValuesHolder.ofKeyframe(property, frames.toArray(new Keyframe[0]));
      } else {
        List<String> steps = new ArrayList<>(Collections.singletonList(tokens.get(pos++)));
        while (pos < tokens.size() - 1 && tokens.get(pos).equals("->")) {
          steps.add(tokens.get(pos + 1));
          pos += 2;
        }
        float[] numbers = new float[steps.size()];
        for (int k = 0; k < numbers.length; k++) {
          String step = steps.get(k);
          numbers[k] = step.startsWith("#") ? Color.parseColor(step) : Float.parseFloat(step);
        }
        values = PropertyValuesHolder.ofFloat(property, numbers);
      }

      // modifiers in any order
      ObjectAnimator animator = ObjectAnimator.ofPropertyValuesHolder(actor, values);
      boolean more = true;
      while (more && pos < tokens.size()) {
        String modifier = tokens.get(pos);
        if (modifier.equals("in")) {
          animator.setDuration(millis(tokens.get(pos + 1)));
          pos += 2;
        } else if (modifier.equals("after")) {
          animator.setStartDelay(millis(tokens.get(pos + 1)));
          pos += 2;
        } else if (modifier.equals("ease")) {
          animator.setInterpolator(Ease.valueOf(tokens.get(pos + 1).toUpperCase(Locale.ROOT)).create());
          pos += 2;
        } else if (modifier.matches("x\\d+")) {
          animator.setRepeatCount(Integer.parseInt(modifier.substring(1)) - 1);
          pos++;
        } else {
          more = false;
        }
      }
      if (actor != null) {
        open.peek().add(animator);
      }
    }

    if (open.size() != 1) {
      throw new IllegalStateException((open.size() - 1) + " blocks are not closed");
    }
    AnimatorSet whole = new AnimatorSet();
    whole.playSequentially(open.pop());
    return whole;
  }

  // copied from northpixel/brushpad
  /** Mixes two colours, channel by channel, in linear light. */
  public static int mixColors(int start, int end, float fraction) {
    float keep = 1f - fraction;
    int alpha = Math.round(Color.alpha(start) * keep + Color.alpha(end) * fraction);
    double r = Math.pow(Color.red(start) / 255.0, 2.2) * keep + Math.pow(Color.red(end) / 255.0, 2.2) * fraction;
    double g = Math.pow(Color.green(start) / 255.0, 2.2) * keep + Math.pow(Color.green(end) / 255.0, 2.2) * fraction;
    double b = Math.pow(Color.blue(start) / 255.0, 2.2) * keep + Math.pow(Color.blue(end) / 255.0, 2.2) * fraction;
    return Color.argb(alpha, (int) Math.round(Math.pow(r, 1 / 2.2) * 255),
        (int) Math.round(Math.pow(g, 1 / 2.2) * 255), (int) Math.round(Math.pow(b, 1 / 2.2) * 255));
  }

  /** Estimates how long an animator runs, nested sets included. */
  public static long totalTime(Animator a) {
    if (a instanceof AnimatorSet) {
      long longest = 0;
      for (Animator child : ((AnimatorSet) a).getChildAnimations()) {
        longest = Math.max(longest, totalTime(child));
      }
      return longest + Math.max(0, a.getStartDelay());
    }
    return a.getStartDelay() + a.getDuration();
  }
}
