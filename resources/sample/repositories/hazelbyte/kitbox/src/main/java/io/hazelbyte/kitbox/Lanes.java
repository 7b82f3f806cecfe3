package io.hazelbyte.kitbox;

import android.os.Handler;
import android.os.Looper;
import android.os.Process;
import android.os.StrictMode;
import android.util.Log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads, in lanes: one for disk, a few for the net, and the main one.
 */
public class Lanes {

    private static final String TAG = "Lanes";

    private final Handler main = new Handler(Looper.getMainLooper());
    private final ExecutorService disk = Executors.newSingleThreadExecutor();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);

    /** Takes what a background job has found. */
    public interface Result<T> {
        void done(T value);

        default void failed(Throwable error) {
            Log.e(TAG, "job failed", error);
        }
    }

    /**
     * Computes something on the disk lane and delivers it to the main thread.
     */
    public <T> Future<?> fetch(final Callable<T> job, final Result<T> result) {
        final long asked = System.currentTimeMillis();
        FutureTask<T> task = new FutureTask<T>(job) {
            @Override
            protected void done() {
                if (!isCancelled()) main.post(() -> deliver(this, result));
            }
        };
        if (disk.isShutdown()) {
            Log.w(TAG, "asked too late: " + asked);
            task.cancel(false);
        } else {
            disk.execute(task);
        }
        return task;
    }

    private static <T> void deliver(Future<T> ready, Result<T> result) {
        try {
            result.done(ready.get());
        } catch (InterruptedException | ExecutionException e) {
            result.failed(e.getCause() == null ? e : e.getCause());
        }
    }

    /**
     * Repeats a job at a fixed rate on a background thread; one that throws is not run again.
     */
    public ScheduledFuture<?> repeat(Runnable job, long seconds) {
        return clock.scheduleAtFixedRate(() -> {
            try {
                job.run();
            } catch (RuntimeException e) {
                Log.e(TAG, "repeated job stopped", e);
                throw e;
            }
        }, seconds, seconds, TimeUnit.SECONDS);
    }

    /**
     * Lets only the last of many quick calls through, after a pause of the handler.
     */
    public Runnable calm(final Runnable job, final int pauseMs) {
        final Object token = new Object();
        return () -> {
            main.removeCallbacksAndMessages(token);
            main.postAtTime(job, token, android.os.SystemClock.uptimeMillis() + pauseMs);
        };
    }

    /**
     * Builds a pool whose threads have low priority and speaking names.
     */
    public static ThreadPoolExecutor pool(final String name, int threads) {
        ThreadFactory factory = new ThreadFactory() {
            private final AtomicInteger count = new AtomicInteger(1);

            @Override
            public Thread newThread(Runnable work) {
                Thread thread = new Thread(() -> {
                    Process.setThreadPriority(Process.THREAD_PRIORITY_BACKGROUND);
                    work.run();
                }, name + "-" + count.getAndIncrement());
                thread.setDaemon(true);
                return thread;
            }
        };
        ThreadPoolExecutor executor = new ThreadPoolExecutor(threads, threads, 20, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Runs all jobs at once and waits for every result, keeping their order. */
    public static <T> List<T> together(ExecutorService pool, List<Callable<T>> jobs) throws InterruptedException {
        List<T> out = new ArrayList<>(jobs.size());
        for (Future<T> future : pool.invokeAll(jobs, 30, TimeUnit.SECONDS)) {
            try {
                out.add(future.isCancelled() ? null : future.get());
            } catch (ExecutionException e) {
                out.add(null);
                Log.w(TAG, "one of them failed", e.getCause());
            }
        }
        return out;
    }

    /** Shouts when the main thread touches disk or net, in debug builds. */
    public static void strict(boolean debug) {
        if (!debug) {
            return;
        }
        StrictMode.ThreadPolicy.Builder policy = new StrictMode.ThreadPolicy.Builder().detectDiskWrites().detectNetwork();
        StrictMode.setThreadPolicy(policy.penaltyLog().penaltyFlashScreen().build());
    }

    public void assertMain(String what) {
        Thread here = Thread.currentThread();
        if (here != Looper.getMainLooper().getThread()) {
            throw new IllegalStateException(what + " was called on " + here.getName());
        }
    }
}
