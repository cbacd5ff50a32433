// What pthreadpool takes of FXdiv (division by numbers that are known before), by plain division.
#ifndef FXDIV_H
#define FXDIV_H

#include <stddef.h>

struct fxdiv_divisor_size_t {
    size_t value;
};
struct fxdiv_result_size_t {
    size_t quotient, remainder;
};

static inline struct fxdiv_divisor_size_t fxdiv_init_size_t(size_t by) {
    return (struct fxdiv_divisor_size_t){by};
}

static inline struct fxdiv_result_size_t fxdiv_divide_size_t(size_t number, struct fxdiv_divisor_size_t by) {
    return (struct fxdiv_result_size_t){number / by.value, number % by.value};
}

#endif
