/** The operations on words that a proof understands; each has the meaning that the EVM gives it. */
export type Operation =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'mod'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'shr'
  | 'lt'
  | 'eq'

/** A word of the EVM: a number, an unknown, or an operation on two words. */
export type Term = { readonly id: number; readonly max: bigint } & (
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'unknown'; readonly name: string }
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly left: Term
      readonly right: Term
    }
)

const size = 2n ** 256n
const highest = size - 1n
const terms = new Map<string, Term>()

// Equal terms are one object, so that terms which share parts stay small.
function shared(key: string, make: (id: number) => Term): Term {
  const term = terms.get(key) ?? make(terms.size)
  terms.set(key, term)
  return term
}

/** Returns a number, modulo 2^256. */
export function number(any: bigint): Term {
  const value = any & highest
  return shared(`${value}`, (id) => ({ id, max: value, kind: 'number', value }))
}

/** Returns an unknown word of some bits. */
export function unknown(name: string, bits: number): Term {
  const max = 2n ** BigInt(bits) - 1n
  return shared(`${name} ${bits}`, (id) => ({ id, max, kind: 'unknown', name }))
}

/** Returns the result of an operation, as simple as is known. For shifts, `right` is how far. */
export function apply(operation: Operation, left: Term, right: Term): Term {
  if (left.kind === 'number' && right.kind === 'number')
    return number(compute[operation](left.value, right.value))
  if (left.kind === 'number' && commutes.has(operation)) return apply(operation, right, left)
  const simple = simplify(operation, left, right)
  if (simple) return simple
  const max = highestOf(operation, left, right)
  if (max === 0n) return number(0n)
  return shared(`${operation} ${left.id} ${right.id}`, (id) => {
    return { id, max, kind: 'operation', operation, left, right }
  })
}

/** Returns 1 for 0, and 0 for all else. */
export const isZero = (term: Term): Term => apply('eq', term, number(0n))

const commutes: ReadonlySet<Operation> = new Set(['add', 'mul', 'and', 'or', 'xor', 'eq'])

const compute: Readonly<Record<Operation, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? 0n : a / b),
  mod: (a, b) => (b === 0n ? 0n : a % b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => (b > 255n ? 0n : a << b),
  shr: (a, b) => (b > 255n ? 0n : a >> b),
  lt: (a, b) => (a < b ? 1n : 0n),
  eq: (a, b) => (a === b ? 1n : 0n),
}

type Product = Extract<Term, { kind: 'operation' }>
type Rule = (left: Term, right: Term) => Term | undefined

/** Returns what an operation is equal to, where that is plain. */
function simplify(operation: Operation, left: Term, right: Term): Term | undefined {
  const neutral = neutrals[operation]
  if (right.kind === 'number' && right.value === neutral) return left
  return rules[operation]?.(left, right)
}

const neutrals: Readonly<Partial<Record<Operation, bigint>>> = {
  add: 0n,
  sub: 0n,
  mul: 1n,
  div: 1n,
  or: 0n,
  xor: 0n,
  shl: 0n,
  shr: 0n,
}

const rules: Readonly<Partial<Record<Operation, Rule>>> = {
  eq: simplifyEquality,
  lt: simplifyOrder,
  and: (left, right) => {
    const covers = right.kind === 'number' && isLowMask(right.value) && left.max <= right.value
    return covers ? left : undefined
  },
  shr: (left, right) => {
    const isUnion = left.kind === 'operation' && left.operation === 'or' && right.kind === 'number'
    return isUnion
      ? apply('or', apply('shr', left.left, right), apply('shr', left.right, right))
      : undefined
  },
  div: (left, right) => multipleOf(left, right)?.left ?? simplifyQuotient(left, right),
  mod: (left, right) => multipleOf(left, right)?.right,
}

/** A product without an overflow, divided by one of its factors, is the other one; by zero it is zero. */
function simplifyQuotient(left: Term, divisor: Term): Term | undefined {
  const factors = operandsOf(left, 'mul')
  if (!factors || factors.left.max * factors.right.max >= size) return undefined
  if (factors.left !== divisor && factors.right !== divisor) return undefined
  const other = factors.left === divisor ? factors.right : factors.left
  return apply('mul', other, isZero(isZero(divisor)))
}

/** Splits a multiple of a number plus less than that number, which did not overflow. */
function multipleOf(
  sum: Term,
  divisor: Term,
): { readonly left: Term; readonly right: Term } | undefined {
  const addends = operandsOf(sum, 'add')
  const factors = addends && operandsOf(addends.left, 'mul')
  if (!addends || factors?.right !== divisor || divisor.kind !== 'number') return undefined
  const isWhole = factors.left.max * divisor.value + addends.right.max < size
  const isRest = addends.right.max < divisor.value
  return isWhole && isRest ? { left: factors.left, right: addends.right } : undefined
}

function operandsOf(term: Term, operation: Operation): Product | undefined {
  return term.kind === 'operation' && term.operation === operation ? term : undefined
}

function simplifyEquality(left: Term, right: Term): Term | undefined {
  if (left === right) return number(1n)
  if (right.kind !== 'number') return undefined
  return right.value > left.max ? number(0n) : doubleNegation(left, right)
}

/** Returns the comparison, which is 0 or 1, of which a term is the negation of the negation. */
function doubleNegation(left: Term, right: Term): Term | undefined {
  const inner = operandsOf(left, 'eq')
  const zero = number(0n)
  return inner?.right === zero && right === zero && inner.left.max <= 1n ? inner.left : undefined
}

function simplifyOrder(left: Term, right: Term): Term | undefined {
  if (left === right) return number(0n)
  if (right.kind === 'number' && left.max < right.value) return number(1n)
  return left.kind === 'number' && left.value >= right.max ? number(0n) : undefined
}

const isLowMask = (value: bigint) => (value & (value + 1n)) === 0n

type Bound = (left: bigint, right: bigint, by: Term) => bigint

const oneBit: Bound = () => 1n
const asLong: Bound = (a, b) => 2n ** BigInt((a | b).toString(2).length) - 1n

/** Bounds of the results from the bounds of the operands; the last of them is the right one itself. */
const bounds: Readonly<Record<Operation, Bound>> = {
  add: (a, b) => a + b,
  sub: () => highest,
  mul: (a, b) => a * b,
  div: (a, _, by) => (by.kind === 'number' ? compute.div(a, by.value) : a),
  mod: (a, b) => (a < b || b === 0n ? a : b - 1n),
  and: (a, b) => (a < b + 1n ? a : b),
  or: asLong,
  xor: asLong,
  shl: (a, _, by) => (by.kind === 'number' ? compute.shl(a, by.value) : highest),
  shr: (a, _, by) => (by.kind === 'number' ? compute.shr(a, by.value) : a),
  lt: oneBit,
  eq: oneBit,
}

function highestOf(operation: Operation, left: Term, right: Term): bigint {
  const bound = bounds[operation](left.max, right.max, right)
  return bound < size ? bound : highest
}
