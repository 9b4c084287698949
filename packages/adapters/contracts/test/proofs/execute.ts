import { type Hex, hexToBytes } from 'viem'
import { type Memory, read, readSelector, write } from './memory.ts'
import { apply, isZero, number, type Operation, type Term, unknown } from './term.ts'

/** One path through a function: conditions are words that are not zero on it. */
export type Path = {
  readonly conditions: readonly Term[]
  /** The end of the path: failed assertions and arithmetic overflows panic. */
  readonly end: 'return' | 'revert' | 'panic'
}

/** A call of a function with words that may be unknown. */
export type Call = {
  readonly code: Hex
  readonly selector: Hex
  readonly words: readonly Term[]
  readonly timestamp: Term
}

type State = {
  readonly pc: number
  /** The top is last. */
  readonly stack: readonly Term[]
  readonly memory: Memory
  readonly conditions: readonly Term[]
}

type Machine = Call & { readonly bytes: Uint8Array }
type Next = readonly (State | Path)[]
type Step = (state: State, machine: Machine) => Next

const stepLimit = 500_000

/**
 * Follows every path through a function.
 *
 * @throws where the code does what a pure function of words does not, such as reading storage
 */
export function pathsOf(call: Call): readonly Path[] {
  const machine = { ...call, bytes: hexToBytes(call.code) }
  const open: State[] = [{ pc: 0, stack: [], memory: new Map(), conditions: [] }]
  const paths: Path[] = []
  for (let steps = 0; steps < stepLimit; steps += 1) {
    const state = open.pop()
    if (state === undefined) return paths
    const next = step(state, machine)
    paths.push(...next.filter((it) => 'end' in it))
    open.push(...next.filter((it) => 'pc' in it))
  }
  throw new Error(`A proof takes more than ${stepLimit} steps.`)
}

function step(state: State, machine: Machine): Next {
  const opcode = machine.bytes[state.pc] ?? 0
  const perform = steps[opcode]
  if (perform === undefined)
    throw new Error(`Opcode 0x${opcode.toString(16)} at ${state.pc} is not one of a proof.`)
  return perform(state, machine)
}

/** Returns the top words, the first of them on top. */
function top({ stack, pc }: State, count: number): readonly Term[] {
  if (stack.length < count) throw new Error(`The stack is too small at ${pc}.`)
  return stack.slice(stack.length - count).toReversed()
}

function replace(state: State, count: number, ...results: readonly Term[]): State {
  const rest = state.stack.slice(0, state.stack.length - count)
  return { ...state, pc: state.pc + 1, stack: [...rest, ...results] }
}

function numberOf(term: Term | undefined, { pc }: State): number {
  if (term?.kind !== 'number') throw new Error(`An unknown word is a position at ${pc}.`)
  return Number(term.value)
}

const binary =
  (compute: (a: Term, b: Term) => Term): Step =>
  (state) => {
    const [a, b] = top(state, 2) as [Term, Term]
    return [replace(state, 2, compute(a, b))]
  }

const operation = (name: Operation) => binary((a, b) => apply(name, a, b))
const swapped = (name: Operation) => binary((a, b) => apply(name, b, a))

/** Compares signed numbers, as the unsigned that they are when both are positive. */
const signed = (a: Term, b: Term): Term => {
  if (a.max >> 255n || b.max >> 255n) throw new Error('A proof compares no negative numbers.')
  return apply('lt', a, b)
}

const environment =
  (value: (machine: Machine) => Term): Step =>
  (state, machine) => [replace(state, 0, value(machine))]

const sizeOf = ({ words }: Call) => 4 + 32 * words.length

/** Loads a word of the calldata, which begins with the selector. */
function loadCalldata(offset: number, { selector, words }: Call): Term {
  if (offset === 0) {
    const first = apply('shr', words[0] ?? number(0n), number(32n))
    return apply('or', first, number(BigInt(selector) << 224n))
  }
  const word = words[(offset - 4) / 32]
  if (word === undefined) throw new Error(`A proof reads its calldata at ${offset}.`)
  return word
}

/** Beyond the calldata are zeros; compilers copy them to clear memory. */
const clearMemory: Step = (state, machine) => {
  const [to, from, length] = top(state, 3).map((term) => numberOf(term, state)) as [
    number,
    number,
    number,
  ]
  if (from < sizeOf(machine)) throw new Error('A proof copies no calldata.')
  const offsets = Array.from({ length: Math.ceil(length / 32) }, (_, index) => to + 32 * index)
  const memory = offsets.reduce((all, offset) => write(all, offset, number(0n)), state.memory)
  return [{ ...replace(state, 3), memory }]
}

function jump(state: State, target: Term | undefined, { bytes }: Machine): State {
  const pc = numberOf(target, state)
  if (bytes[pc] !== 0x5b) throw new Error(`There is no jump to ${pc}.`)
  return { ...state, pc }
}

const jumpIf: Step = (state, machine) => {
  const [target, condition] = top(state, 2) as [Term, Term]
  const on = replace(state, 2)
  const taken = jump(on, target, machine)
  if (condition.kind === 'number') return [condition.value === 0n ? on : taken]
  const { conditions } = state
  return [
    { ...on, conditions: [...conditions, isZero(condition)] },
    { ...taken, conditions: [...conditions, condition] },
  ]
}

const panicSelector = 0x4e487b71n

const revert: Step = (state) => {
  const [offset, length] = top(state, 2)
  const { conditions, memory } = state
  if (numberOf(length, state) < 4) return [{ conditions, end: 'revert' }]
  const isPanic = readSelector(memory, numberOf(offset, state)) === panicSelector
  return [{ conditions, end: isPanic ? 'panic' : 'revert' }]
}

/** A hash is unknown, but the same for the same words; so is what is stored under it. */
function hash(state: State): Next {
  const [offset, length] = top(state, 2).map((term) => numberOf(term, state)) as [number, number]
  const words = Array.from({ length: length / 32 }, (_, index) =>
    read(state.memory, offset + 32 * index),
  )
  return [replace(state, 2, unknown(`hash${words.map(({ id }) => `_${id}`).join('')}`, 256))]
}

const end =
  (name: Path['end']): Step =>
  ({ conditions }) => [{ conditions, end: name }]

const steps: Readonly<Record<number, Step>> = {
  0: end('return'),
  1: operation('add'),
  2: operation('mul'),
  3: operation('sub'),
  4: operation('div'),
  6: operation('mod'),
  16: operation('lt'),
  17: swapped('lt'),
  18: binary(signed),
  19: binary((a, b) => signed(b, a)),
  20: operation('eq'),
  32: hash,
  84: (state) => [replace(state, 1, unknown(`slot${top(state, 1)[0]?.id}`, 256))],
  21: (state) => [replace(state, 1, isZero(top(state, 1)[0] as Term))],
  22: operation('and'),
  23: operation('or'),
  24: operation('xor'),
  25: (state) => [replace(state, 1, apply('xor', top(state, 1)[0] as Term, number(-1n)))],
  27: swapped('shl'),
  28: swapped('shr'),
  52: environment(() => number(0n)),
  53: (state, machine) => {
    const offset = numberOf(top(state, 1)[0], state)
    return [replace(state, 1, loadCalldata(offset, machine))]
  },
  54: environment((machine) => number(BigInt(sizeOf(machine)))),
  55: clearMemory,
  66: environment(({ timestamp }) => timestamp),
  80: (state) => [replace(state, 1)],
  81: (state) => [replace(state, 1, read(state.memory, numberOf(top(state, 1)[0], state)))],
  82: (state) => {
    const [offset, word] = top(state, 2) as [Term, Term]
    return [{ ...replace(state, 2), memory: write(state.memory, numberOf(offset, state), word) }]
  },
  86: (state, machine) => [jump(replace(state, 1), top(state, 1)[0], machine)],
  87: jumpIf,
  91: (state) => [replace(state, 0)],
  243: end('return'),
  253: revert,
  254: end('panic'),
  ...Object.fromEntries(Array.from({ length: 33 }, (_, size) => [95 + size, push(size)])),
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [128 + index, duplicate(index + 1)]),
  ),
  ...Object.fromEntries(Array.from({ length: 16 }, (_, index) => [144 + index, swap(index + 2)])),
}

function push(size: number): Step {
  return (state, { bytes }) => {
    const value = bytes.slice(state.pc + 1, state.pc + 1 + size)
    const word = value.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
    const next = replace(state, 0, number(word))
    return [{ ...next, pc: state.pc + 1 + size }]
  }
}

function duplicate(depth: number): Step {
  return (state) => [replace(state, 0, top(state, depth)[depth - 1] as Term)]
}

function swap(depth: number): Step {
  return (state) => {
    const [first, ...rest] = top(state, depth) as [Term, ...Term[]]
    const last = rest.pop() as Term
    return [replace(state, depth, ...[last, ...rest, first].toReversed())]
  }
}
