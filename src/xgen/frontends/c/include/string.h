#pragma once
#include <sys/cdefs.h>
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t size);
void *mempcpy(void *to, const void *from, size_t size);
void bzero(void *to, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t most);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
char *strchr(const char *text, int wanted);
char *strrchr(const char *text, int wanted);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *some);
size_t strcspn(const char *text, const char *some);
char *strpbrk(const char *text, const char *some);
char *strtok_r(char *text, const char *some, char **rest);
char *strtok(char *text, const char *some);
int strcasecmp(const char *left, const char *right);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
void *memchr(const void *from, int wanted, size_t size);
char *strerror(int number);
