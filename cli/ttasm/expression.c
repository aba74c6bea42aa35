// SPDX-License-Identifier: Apache-2.0
// Expressions of .ttasm: 64-bit signed integers, C's operators and precedence, symbols, attributes
// of tensors and names of formats (docs/ttasm.md, "Expressions").
#include "ttasm/expression.h"

#include <string.h>

static bool unknown_symbol(struct cursor *cursor, const struct token *token, const char *reason)
{
    struct nearest nearest = nearest_to(token->text);

    offer_symbols(cursor->assembler, &nearest);
    return fail_near(cursor, token, &nearest, "%s", reason);
}

static bool attribute(struct cursor *cursor, const struct token *token, int64_t *value)
{
    const char *dot = strchr(token->text, '.');
    const struct tensor *tensor =
        find_tensor(cursor->assembler->program, token->text, (size_t)(dot - token->text));

    if (tensor == NULL)
        return unknown_symbol(cursor, token, "no tensor or constant of this name stands above");
    if (tensor_attribute(tensor, dot + 1, value))
        return true;
    return fail_at(cursor, token, "a tensor has no such attribute (it has %s)",
                   tensor_attribute_names);
}

static bool named_value(struct cursor *cursor, int64_t *value)
{
    const struct token *token = cursor->next++;

    if (symbol_value(cursor->assembler, token->text, value))
        return true;
    if (strchr(token->text, '.') != NULL)
        return attribute(cursor, token, value);
    if (find_tensor(cursor->assembler->program, token->text, strlen(token->text)) != NULL)
        return fail_at(cursor, token, "a tensor is not a number; use an attribute such as %s.addr",
                       token->text);
    return unknown_symbol(cursor, token, "unknown symbol");
}

// ---------------------------------------------------------------- operators

struct operation {
    const char *sign;
    int rank; // higher binds tighter
};

static const struct operation operations[] = {
    {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
    {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
    {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10},
};

static int rank_of(const struct token *token)
{
    if (token->kind == TOKEN_SIGN)
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
            if (strcmp(token->text, operations[i].sign) == 0)
                return operations[i].rank;
    return 0;
}

static bool divide(struct cursor *cursor, const struct token *sign, int64_t left, int64_t right,
                   int64_t *value)
{
    if (right == 0)
        return fail_at(cursor, sign, "a division by zero");
    if (left == INT64_MIN && right == -1)
        return fail_at(cursor, sign, "the value leaves 64 bits");
    *value = sign->text[0] == '/' ? left / right : left % right;
    return true;
}

static bool shift(struct cursor *cursor, const struct token *sign, int64_t left, int64_t right,
                  int64_t *value)
{
    if (right < 0 || right > 62)
        return fail_at(cursor, sign, "a shift by %lld places", (long long)right);
    if (sign->text[0] == '>') {
        // Division that rounds down, as a right shift of a negative number is the host's affair.
        int64_t unit = (int64_t)1 << right;
        *value = left / unit - (left % unit < 0);
        return true;
    }
    if (__builtin_mul_overflow(left, (int64_t)1 << right, value))
        return fail_at(cursor, sign, "the value leaves 64 bits");
    return true;
}

static bool apply(struct cursor *cursor, const struct token *sign, int64_t left, int64_t right,
                  int64_t *value)
{
    const char *text = sign->text;
    bool over = false;

    if (strcmp(text, "<<") == 0 || strcmp(text, ">>") == 0)
        return shift(cursor, sign, left, right, value);
    if (strcmp(text, "/") == 0 || strcmp(text, "%") == 0)
        return divide(cursor, sign, left, right, value);
    if (strcmp(text, "+") == 0)
        over = __builtin_add_overflow(left, right, value);
    else if (strcmp(text, "-") == 0)
        over = __builtin_sub_overflow(left, right, value);
    else if (strcmp(text, "*") == 0)
        over = __builtin_mul_overflow(left, right, value);
    else if (strcmp(text, "||") == 0)
        *value = left != 0 || right != 0;
    else if (strcmp(text, "&&") == 0)
        *value = left != 0 && right != 0;
    else if (strcmp(text, "|") == 0)
        *value = left | right;
    else if (strcmp(text, "^") == 0)
        *value = left ^ right;
    else if (strcmp(text, "&") == 0)
        *value = left & right;
    else if (strcmp(text, "==") == 0)
        *value = left == right;
    else if (strcmp(text, "!=") == 0)
        *value = left != right;
    else if (strcmp(text, "<=") == 0)
        *value = left <= right;
    else if (strcmp(text, ">=") == 0)
        *value = left >= right;
    else if (strcmp(text, "<") == 0)
        *value = left < right;
    else
        *value = left > right;
    return !over || fail_at(cursor, sign, "the value leaves 64 bits");
}

static bool operand(struct cursor *cursor, int depth, int64_t *value);

// Operators of at least that rank, left to right.
static bool climb(struct cursor *cursor, int least, int depth, int64_t *value)
{
    if (!operand(cursor, depth, value))
        return false;
    for (int rank; (rank = rank_of(cursor->next)) >= least && rank != 0;) {
        const struct token *sign = cursor->next++;
        int64_t right;
        if (!climb(cursor, rank + 1, depth, &right) || !apply(cursor, sign, *value, right, value))
            return false;
    }
    return true;
}

static bool prefixed(struct cursor *cursor, int depth, int64_t *value)
{
    const struct token *sign = cursor->next++;

    if (!operand(cursor, depth + 1, value))
        return false;
    if (sign->text[0] == '~')
        *value = ~*value;
    else if (sign->text[0] == '!')
        *value = *value == 0;
    else if (*value == INT64_MIN)
        return fail_at(cursor, sign, "the value leaves 64 bits");
    else
        *value = -*value;
    return true;
}

static bool operand(struct cursor *cursor, int depth, int64_t *value)
{
    const struct token *token = cursor->next;

    if (depth > 100)
        return fail_at(cursor, token, "the expression is nested too deeply");
    if (token->kind == TOKEN_NUMBER) {
        *value = token->value;
        cursor->next++;
        return true;
    }
    if (token->kind == TOKEN_NAME)
        return named_value(cursor, value);
    if (token->kind == TOKEN_SIGN && strchr("-~!", token->text[0]) != NULL &&
        token->text[1] == '\0')
        return prefixed(cursor, depth, value);
    if (take_sign(cursor, "("))
        return climb(cursor, 1, depth + 1, value) && expect_sign(cursor, ")");
    return fail_at(cursor, token, "a value is missing here");
}

bool expression(struct cursor *cursor, int64_t *value)
{
    return climb(cursor, 1, 0, value);
}
