import { spawnSync } from 'node:child_process'
import type { Operation, Term } from './term.ts'

/** Whether conditions can hold together, in the words of z3. */
export type Answer = 'sat' | 'unsat' | 'unknown'

type Operands = readonly [left: Term, right: Term, leftText: string, rightText: string]

/** A way to write words for z3. */
type Notation = {
  readonly sort: string
  readonly declare: (name: string, max: bigint) => string
  readonly unknown: (name: string, max: bigint) => string
  readonly number: (value: bigint) => string
  /** Returns `undefined` where the notation has no words for an operation. */
  readonly operation: Readonly<Record<Operation, (...operands: Operands) => string | undefined>>
}

const sizeOf = (max: bigint) => max.toString(2).length
const word = (value: bigint) => `#x${value.toString(16).padStart(64, '0')}`
const choose = (condition: string) => `(ite ${condition} ${word(1n)} ${word(0n)})`

/** Words as their 256 bits: right for shifts and masks. */
const bits: Notation = {
  sort: '(_ BitVec 256)',
  declare: (name, max) => `(declare-const ${name} (_ BitVec ${sizeOf(max)}))`,
  unknown: (name, max) =>
    sizeOf(max) === 256 ? name : `((_ zero_extend ${256 - sizeOf(max)}) ${name})`,
  number: word,
  operation: {
    add: (_, __, a, b) => `(bvadd ${a} ${b})`,
    sub: (_, __, a, b) => `(bvsub ${a} ${b})`,
    mul: (_, __, a, b) => `(bvmul ${a} ${b})`,
    div: (_, __, a, b) => `(ite (= ${b} ${word(0n)}) ${word(0n)} (bvudiv ${a} ${b}))`,
    mod: (_, __, a, b) => `(ite (= ${b} ${word(0n)}) ${word(0n)} (bvurem ${a} ${b}))`,
    and: (_, __, a, b) => `(bvand ${a} ${b})`,
    or: (_, __, a, b) => `(bvor ${a} ${b})`,
    xor: (_, __, a, b) => `(bvxor ${a} ${b})`,
    shl: (_, __, a, b) => `(bvshl ${a} ${b})`,
    shr: (_, __, a, b) => `(bvlshr ${a} ${b})`,
    lt: (_, __, a, b) => choose(`(bvult ${a} ${b})`),
    eq: (_, __, a, b) => choose(`(= ${a} ${b})`),
  },
}

const size = 2n ** 256n
const wrapped = (text: string, fits: boolean) => (fits ? text : `(mod ${text} ${size})`)
const constant = (term: Term) => (term.kind === 'number' ? term.value : undefined)

/** Words as whole numbers, which wrap only where their bounds say that they may: right for products. */
const integers: Notation = {
  sort: 'Int',
  declare: (name, max) => `(declare-const ${name} Int)(assert (<= 0 ${name} ${max}))`,
  unknown: (name) => name,
  number: String,
  operation: {
    add: (left, right, a, b) => wrapped(`(+ ${a} ${b})`, left.max + right.max < size),
    sub: (_, __, a, b) => `(ite (>= ${a} ${b}) (- ${a} ${b}) (- (+ ${a} ${size}) ${b}))`,
    mul: (left, right, a, b) => wrapped(`(* ${a} ${b})`, left.max * right.max < size),
    div: (_, __, a, b) => `(ite (= ${b} 0) 0 (div ${a} ${b}))`,
    mod: (_, __, a, b) => `(ite (= ${b} 0) 0 (mod ${a} ${b}))`,
    and: (_, right, a) => {
      const mask = constant(right)
      return mask === undefined || mask & (mask + 1n) ? undefined : `(mod ${a} ${mask + 1n})`
    },
    // Of what is true or not, and of nothing else.
    or: (left, right, a, b) =>
      left.max <= 1n && right.max <= 1n ? `(ite (= (+ ${a} ${b}) 0) 0 1)` : undefined,
    xor: () => undefined,
    shl: (left, right, a) => {
      const by = constant(right)
      return by === undefined ? undefined : wrapped(`(* ${a} ${2n ** by})`, left.max << by < size)
    },
    shr: (_, right, a) => {
      const by = constant(right)
      return by === undefined ? undefined : `(div ${a} ${2n ** by})`
    },
    lt: (_, __, a, b) => `(ite (< ${a} ${b}) 1 0)`,
    eq: (_, __, a, b) => `(ite (= ${a} ${b}) 1 0)`,
  },
}

/** A question to z3 that is being written: lines, and the text for each term. */
type Question = {
  readonly notation: Notation
  readonly lines: string[]
  readonly texts: Map<Term, string | undefined>
}

/** Returns the text for a term, after its definition was written; each term is defined once. */
function textOf(term: Term, question: Question): string | undefined {
  const { texts } = question
  if (!texts.has(term)) texts.set(term, define(term, question))
  return texts.get(term)
}

function define(term: Term, question: Question): string | undefined {
  const { notation, lines } = question
  if (term.kind === 'number') return notation.number(term.value)
  if (term.kind === 'unknown') {
    lines.push(notation.declare(term.name, term.max))
    return notation.unknown(term.name, term.max)
  }
  const { left, right } = term
  const [a, b] = [textOf(left, question), textOf(right, question)]
  const result = a && b && notation.operation[term.operation](left, right, a, b)
  if (!result) return undefined
  lines.push(`(define-fun t${term.id} () ${notation.sort} ${result})`)
  return `t${term.id}`
}

/** Writes that no condition is zero; returns `undefined` where the notation has no words for it. */
function write(conditions: readonly Term[], notation: Notation): string | undefined {
  const question: Question = { notation, lines: [], texts: new Map() }
  const texts = conditions.map((condition) => textOf(condition, question))
  if (texts.includes(undefined)) return undefined
  const zero = notation.number(0n)
  const claims = texts.map((text) => `(assert (not (= ${text} ${zero})))`)
  return [...question.lines, ...claims, '(check-sat)', ''].join('\n')
}

/**
 * Asks z3 whether conditions can hold together, in each notation until one leads to an answer, for at most
 * some millions of its steps each.
 */
export function solve(conditions: readonly Term[], millions: number): Answer {
  const inputs = [bits, integers].map((notation) => write(conditions, notation))
  const hasProducts = /bvmul|bvudiv|bvurem/.test(inputs[0] ?? '')
  for (const input of hasProducts ? inputs.toReversed() : inputs) {
    const answer = input === undefined ? 'unknown' : ask(input, millions)
    if (answer !== 'unknown') return answer
  }
  return 'unknown'
}

/** A bound for what z3 does not count as steps, in seconds. */
const timeout = 60

function ask(input: string, millions: number): Answer {
  const { error, stdout } = spawnSync(
    'z3',
    ['-in', `rlimit=${millions * 1_000_000}`, `-T:${timeout}`],
    {
      encoding: 'utf8',
      input,
    },
  )
  if (error)
    throw new Error('The proofs need z3 (on Debian: apt-get install z3).', { cause: error })
  const [answer] = stdout.split('\n')
  if (answer === 'sat' || answer === 'unsat') return answer
  if (answer === 'unknown' || answer === 'timeout') return 'unknown'
  throw new Error(`z3 does not understand a question: ${stdout}`)
}

/** Returns the version of z3; throws what to install where there is none. */
export function solverVersion(): string {
  const { error, stdout } = spawnSync('z3', ['--version'], { encoding: 'utf8' })
  if (error)
    throw new Error('The proofs need z3 (on Debian: apt-get install z3).', { cause: error })
  return stdout.trim()
}
