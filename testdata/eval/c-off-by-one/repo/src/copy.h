void copy(char *to, const char *from, int size);
