#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int box;

static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    box = 7;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (box == 0)
        pthread_cond_wait(&filled, &mutex);
    assert(box == 7);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
