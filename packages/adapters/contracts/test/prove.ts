import { parseArgs } from 'node:util'
import { type Abi, type AbiFunction, type Hex, toFunctionSelector } from 'viem'
import { runSolc } from '../solc.ts'
import { readSource } from '../solidity.ts'
import { type Path, pathsOf } from './proofs/execute.ts'
import { solve, solverVersion } from './proofs/solver.ts'
import { type Term, unknown } from './proofs/term.ts'

const { values: options } = parseArgs({
  options: {
    /** Proves only what has this in its name. */
    only: { type: 'string', default: '' },
    /** The most steps of z3 for a question in one notation, in millions: the same on every machine. */
    steps: { type: 'string', default: '5' },
  },
})

const contracts = ['Packing', 'Division', 'Rentals']

/**
 * The proofs that z3 does not finish. That all shares fit the price follows from `shareIsRoundedDown`, by hand: each is at
 * most the price times its claim, and the claims are at most the whole.
 */
const unfinished: ReadonlySet<string> = new Set([
  'Division.splitTwo',
  'Division.splitThree',
  'Division.splitEight',
])

/** Chains keep their time in 64 bits. */
const timestamp = unknown('timestamp', 64)

/** Returns an unknown word for an argument; one of a narrow type has only its bits. */
function argument({ name = '', type }: AbiFunction['inputs'][number]): Term {
  const bits = { address: 160, bool: 1 }[type] ?? Number(/^uint(\d+)$/.exec(type)?.[1])
  if (!bits) throw new Error(`A proof takes no ${type}.`)
  return unknown(name, bits)
}

type Result = 'proved' | 'refuted' | 'not finished'

/** Proves that no call of a function fails an assertion or overflows, and that some call returns. */
function prove(code: Hex, it: AbiFunction): Result {
  const selector = toFunctionSelector(it)
  const paths = pathsOf({ code, selector, words: it.inputs.map(argument), timestamp })
  const of = (end: Path['end']) => paths.filter((path) => path.end === end)
  const ask = ({ conditions }: Path) => solve(conditions, Number(options.steps))
  for (const path of of('panic')) {
    const answer = ask(path)
    if (answer !== 'unsat') return answer === 'sat' ? 'refuted' : 'not finished'
  }
  if (!of('return').some((path) => ask(path) === 'sat'))
    throw new Error(`${it.name} never returns.`)
  return 'proved'
}

/** Compiles a contract of proofs; returns its runtime code, and the functions that its parent lacks. */
function compile(name: string): { readonly code: Hex; readonly functions: readonly AbiFunction[] } {
  const path = `test/proofs/${name}.sol`
  const outputs = { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } }
  const { contracts: files, errors = [] } = runSolc({ [path]: readSource(path) }, outputs, {
    find: readSource,
  })
  const compiled = files?.[path]?.[name]
  if (!compiled) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const parent = files?.['src/MemoryMarketplace.sol']?.MemoryMarketplace?.abi ?? []
  const inherited = new Set(functionsOf(parent).map((it) => it.name))
  const functions = functionsOf(compiled.abi).filter((it) => !inherited.has(it.name))
  return { code: `0x${compiled.evm.deployedBytecode.object}`, functions }
}

const functionsOf = (abi: Abi) => abi.flatMap((it) => (it.type === 'function' ? [it] : []))

solverVersion()
let failed = 0
for (const name of contracts) {
  const { code, functions } = compile(name)
  for (const it of functions) {
    const title = `${name}.${it.name}`
    if (!title.includes(options.only)) continue
    const began = performance.now()
    const result = prove(code, it)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const expected = unfinished.has(title) ? 'not finished' : 'proved'
    if (result !== expected) failed += 1
    process.stdout.write(`${result}: ${title} (${seconds} s)\n`)
  }
}
if (failed > 0) process.exitCode = 1
