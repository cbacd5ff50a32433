/* Functions of the library that are a few lines of C. xgen adds those that a program calls and does not define. */
int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
size_t strnlen(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}
int strcmp(const char *left, const char *right) {
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return ((unsigned char)*left > (unsigned char)*right) - ((unsigned char)*left < (unsigned char)*right);
}
int strncmp(const char *left, const char *right, size_t most) {
    size_t k = 0;
    while (k < most && left[k] && left[k] == right[k])
        k++;
    if (k == most)
        return 0;
    return ((unsigned char)left[k] > (unsigned char)right[k]) - ((unsigned char)left[k] < (unsigned char)right[k]);
}
char *strcpy(char *restrict to, const char *restrict from) {
    size_t k = 0;
    while (from[k]) {
        to[k] = from[k];
        k++;
    }
    to[k] = 0;
    return to;
}
char *stpcpy(char *restrict to, const char *restrict from) {
    strcpy(to, from);
    return to + strlen(from);
}
char *strncpy(char *restrict to, const char *restrict from, size_t size) {
    size_t k = 0;
    while (k < size && from[k]) {
        to[k] = from[k];
        k++;
    }
    while (k < size) {
        to[k] = 0;
        k++;
    }
    return to;
}
char *strcat(char *restrict to, const char *restrict from) {
    strcpy(to + strlen(to), from);
    return to;
}
char *strncat(char *restrict to, const char *restrict from, size_t most) {
    size_t k = 0, start = strlen(to);
    while (k < most && from[k]) {
        to[start + k] = from[k];
        k++;
    }
    to[start + k] = 0;
    return to;
}
char *strchr(const char *text, int wanted) {
    while (*text && *text != (char)wanted)
        text++;
    return *text == (char)wanted ? (char *)text : (char *)0;
}
char *strrchr(const char *text, int wanted) {
    size_t k = strlen(text);
    while (k > 0 && text[k] != (char)wanted)
        k--;
    return text[k] == (char)wanted ? (char *)text + k : (char *)0;
}
int atoi(const char *text) {
    int sign = 1, value = 0;
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    if (*text == '-' || *text == '+') {
        if (*text == '-')
            sign = -1;
        text++;
    }
    while (*text >= '0' && *text <= '9') {
        value = value * 10 + (*text - '0');
        text++;
    }
    return sign * value;
}
unsigned long long __xgen_number(const char *text, char **end, int base, unsigned long long most, unsigned long long least) {
    const char *at = text;
    unsigned long long value = 0;
    int negative = 0, digits = 0, beyond = 0;
    if (base < 0 || base == 1 || base > 36) {
        __xgen_errno(22);
        return 0;
    }
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    if (*at == '-' || *at == '+') {
        negative = *at == '-';
        at++;
    }
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit(at[2])) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    while (*at) {
        int digit = *at >= '0' && *at <= '9' ? *at - '0' : isalpha(*at) ? tolower(*at) - 'a' + 10 : 99;
        if (digit >= base)
            break;
        beyond |= value > ((negative ? least : most) - digit) / base;
        value = value * base + digit;
        digits++;
        at++;
    }
    if (end)
        *end = digits ? (char *)at : (char *)text;
    if (beyond)
        __xgen_errno(34);
    return beyond ? (negative ? least : most) : negative ? -value : value;
}
unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
    return __xgen_number(text, end, base, ~0ULL, ~0ULL);
}
unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    return __xgen_number(text, end, base, ~0UL, ~0UL);
}
long long strtoll(const char *restrict text, char **restrict end, int base) {
    return __xgen_number(text, end, base, ~0ULL >> 1, (~0ULL >> 1) + 1);
}
long strtol(const char *restrict text, char **restrict end, int base) {
    return __xgen_number(text, end, base, ~0UL >> 1, (~0UL >> 1) + 1);
}
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *at = base;
    for (size_t last = count; last > 1; last--)
        for (size_t k = 1; k < last; k++)
            if (compare(at + (k - 1) * size, at + k * size) > 0)
                __xgen_swap(at + (k - 1) * size, at + k * size, size);
}
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *at = base;
    for (size_t k = 0; k < count; k++)
        if (compare(key, at + k * size) == 0)
            return (void *)(at + k * size);
    return 0;
}
void *memchr(const void *from, int wanted, size_t size) {
    const unsigned char *at = from;
    size_t k = 0;
    while (k < size && at[k] != (unsigned char)wanted)
        k++;
    return k < size ? (void *)(at + k) : (void *)0;
}
char *strstr(const char *text, const char *part) {
    size_t size = strlen(part);
    for (size_t k = 0; text[k]; k++)
        if (strncmp(text + k, part, size) == 0)
            return (char *)text + k;
    return size == 0 ? (char *)text : (char *)0;
}
size_t strspn(const char *text, const char *some) {
    size_t k = 0;
    while (text[k] && strchr(some, text[k]))
        k++;
    return k;
}
size_t strcspn(const char *text, const char *some) {
    size_t k = 0;
    while (text[k] && !strchr(some, text[k]))
        k++;
    return k;
}
char *strpbrk(const char *text, const char *some) {
    text += strcspn(text, some);
    return *text ? (char *)text : (char *)0;
}
char *strtok_r(char *restrict text, const char *restrict some, char **restrict rest) {
    char *word = text ? text : *rest;
    word += strspn(word, some);
    size_t size = strcspn(word, some);
    *rest = word + size;
    if (size == 0)
        return 0;
    if (word[size]) {
        word[size] = 0;
        *rest = word + size + 1;
    }
    return word;
}
char *strtok(char *restrict text, const char *restrict some) {
    static char *rest;
    return strtok_r(text, some, &rest);
}
int strcasecmp(const char *left, const char *right) {
    while (*left && tolower(*left) == tolower(*right)) {
        left++;
        right++;
    }
    return tolower((unsigned char)*left) - tolower((unsigned char)*right);
}
char *strndup(const char *text, size_t most) {
    size_t size = strnlen(text, most);
    char *copy = malloc(size + 1);
    if (!copy) return 0;
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return 0;
    memcpy(copy, text, size);
    return copy;
}
int isdigit(int letter) { return letter >= '0' && letter <= '9'; }
int isupper(int letter) { return letter >= 'A' && letter <= 'Z'; }
int islower(int letter) { return letter >= 'a' && letter <= 'z'; }
int isalpha(int letter) { return isupper(letter) || islower(letter); }
int isalnum(int letter) { return isalpha(letter) || isdigit(letter); }
int isxdigit(int letter) { return isdigit(letter) || (letter >= 'A' && letter <= 'F') || (letter >= 'a' && letter <= 'f'); }
int isblank(int letter) { return letter == ' ' || letter == '\t'; }
int isspace(int letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }
int isprint(int letter) { return letter >= ' ' && letter <= '~'; }
int isgraph(int letter) { return letter > ' ' && letter <= '~'; }
int ispunct(int letter) { return isgraph(letter) && !isalnum(letter); }
int iscntrl(int letter) { return (letter >= 0 && letter < ' ') || letter == 127; }
int tolower(int letter) { return isupper(letter) ? letter + ('a' - 'A') : letter; }
int toupper(int letter) { return islower(letter) ? letter - ('a' - 'A') : letter; }
int ffs(int value) { return __builtin_ffs(value); }
int ffsl(long value) { return __builtin_ffsl(value); }
int ffsll(long long value) { return __builtin_ffsll(value); }
