/* A thread of the kernel sleeps until another CPU has said what it waits for, by the pointer that it is known by */
#include <xgen/kernel_test.h>
#include <linux/kthread.h>
struct task_struct *sleeper;
int condition;
static int sleeps(void *unused) {
  for (;;) {
    set_current_state(TASK_UNINTERRUPTIBLE);
    if (READ_ONCE(condition)) break;
    schedule(); }
  __set_current_state(TASK_RUNNING);
  return 0; }
CPU(1, waker) { WRITE_ONCE(condition, 1); wake_up_process(sleeper); }
int main(void) { sleeper = kthread_run(sleeps, NULL, "sleeper"); START(waker); }
