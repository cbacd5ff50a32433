// The lazy list of Heller, Herlihy, Luchangco, Moir, Scherer, Shavit (OPODIS 2005): a sorted list with a lock in each
// node; a node is marked before it is taken out.
// Wrong ones: -DNO_VALIDATION, what was found is not looked at again under the locks; -DLINK_RELAXED.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef LINK_RELAXED
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
  int key;
  atomic_bool marked;
  _Atomic(struct node *) next;
  pthread_mutex_t lock;
};

static struct node left, right;

void init(void) {
  left.key = 0;
  right.key = 100;
  atomic_init(&left.next, &right);
  atomic_init(&right.next, NULL);
}

static struct node *next_of(struct node *node) { return atomic_load_explicit(&node->next, memory_order_acquire); }

static struct node *find_locked(int key, struct node **found) {
  while (1) {
    struct node *before = &left, *here = next_of(before);
    while (here->key < key) {
      before = here;
      here = next_of(here);
    }
    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&here->lock);
    *found = here;
#ifdef NO_VALIDATION
    return before;
#else
    if (!atomic_load_explicit(&before->marked, memory_order_relaxed) &&
        !atomic_load_explicit(&here->marked, memory_order_relaxed) &&
        atomic_load_explicit(&before->next, memory_order_relaxed) == here)
      return before;
    pthread_mutex_unlock(&here->lock);
    pthread_mutex_unlock(&before->lock);
#endif
  }
}

bool add(int key) {
  struct node *here, *before = find_locked(key, &here);
  bool fresh = here->key != key;
  if (fresh) {
    struct node *mine = malloc(sizeof *mine);
    mine->key = key;
    atomic_init(&mine->marked, false);
    atomic_init(&mine->next, here);
    pthread_mutex_init(&mine->lock, NULL);
    atomic_store_explicit(&before->next, mine, LINK);
  }
  pthread_mutex_unlock(&here->lock);
  pthread_mutex_unlock(&before->lock);
  return fresh;
}

bool remove(int key) {
  struct node *here, *before = find_locked(key, &here);
  bool there = here->key == key;
  if (there) {
    atomic_store_explicit(&here->marked, true, memory_order_release);
    atomic_store_explicit(&before->next, atomic_load_explicit(&here->next, memory_order_relaxed), memory_order_release);
  }
  pthread_mutex_unlock(&here->lock);
  pthread_mutex_unlock(&before->lock);
  return there;
}

bool contains(int key) {
  struct node *here = next_of(&left);
  while (here->key < key) here = next_of(here);
  return here->key == key && !atomic_load_explicit(&here->marked, memory_order_acquire);
}
