import { readFileSync } from 'node:fs'
import type { SolcOptions, Sources } from '../../solc.ts'
import { compilePair, type Pair, readSources } from './compiler.ts'
import { ends, mutantsOf, original } from './mutants.ts'
import { openTestHarness, type Trial } from './test-harness.ts'

/** A mutant to judge, and the test files in their order. */
export type MutantJob = { readonly index: number; readonly files: readonly string[] }

/** The end of a mutant: one of `ends`, or the test that killed it. */
export type MutantResult = { readonly index: number; readonly end: string }

const { sources, trees } = readSources()

const mutants = mutantsOf(sources, trees)
const harness = await openTestHarness()
const plain = { optimizer: { enabled: false } }
const originalPair = compileOriginal()
const originalPlain = compile(sources, plain)

function compile(texts: Sources, options?: SolcOptions): Pair {
  const pair = compilePair(texts, options)
  if (!pair) throw new Error('The contracts do not compile.')
  return pair
}

/** Compiles the original sources; requires the committed code, so that mutants differ by one fault. */
function compileOriginal(): Pair {
  const pair = compile(sources)
  const generated = new URL('../../../src/ledger/deployment/creation.generated.ts', import.meta.url)
  if (!readFileSync(generated, 'utf8').includes(pair.memoryMarketplaceBytecode)) {
    throw new Error('creation.generated.ts is not what the mutation run compiles.')
  }
  return pair
}

/** The tests that fail on larger code, which the compiler makes without its optimizer. */
const leftOut = [
  'every contract is below the limit of 24,576 bytes, and the creation below 49,152',
  'clears the listing and its storage',
]

/** Judges the original, compiled in both ways: a test that fails without a fault can kill nothing. */
function judgeOriginal({ index, files }: MutantJob): Promise<readonly MutantResult[]> {
  return tryOut([
    { index, pair: originalPlain, files, leftOut },
    { index, pair: originalPair, files },
  ])
}

/**
 * Judges mutants without the optimizer, which compiles them in a third of the time. A test that fails so
 * fails for the fault, since none fails on the original compiled so. What survives is judged as it would be
 * deployed.
 */
async function judge(jobs: readonly MutantJob[]): Promise<readonly MutantResult[]> {
  const early = jobs.flatMap((job) => {
    const pair = compilePair(textsOf(job), plain)
    return pair ? [{ ...job, pair, leftOut }] : []
  })
  const killed = (await tryOut(early)).filter(({ end }) => end !== ends.survived)
  const dead = new Set(killed.map(({ index }) => index))
  const late = jobs.filter(({ index }) => !dead.has(index)).map(compileLate)
  const trials = late.flatMap((it) => ('pair' in it ? [it] : []))
  return [...killed, ...late.flatMap((it) => ('end' in it ? [it] : [])), ...(await tryOut(trials))]
}

/** Compiles a mutant with the optimizer; returns its end when there is nothing to run. */
function compileLate(job: MutantJob): MutantResult | NumberedTrial {
  const pair = compilePair(textsOf(job))
  if (!pair) return { index: job.index, end: ends.notCompiled }
  const isSame = pair.memoryMarketplaceBytecode === originalPair.memoryMarketplaceBytecode
  return isSame ? { index: job.index, end: ends.sameCode } : { ...job, pair }
}

type NumberedTrial = Trial & { readonly index: number }

async function tryOut(trials: readonly NumberedTrial[]): Promise<readonly MutantResult[]> {
  const failures = await harness.firstFailures(trials)
  return trials.map(({ index }, position) => ({ index, end: failures[position] ?? ends.survived }))
}

function textsOf({ index }: MutantJob): Sources {
  const mutant = mutants[index]
  if (!mutant) throw new Error(`There is no mutant ${index}.`)
  return { ...sources, [mutant.path]: mutant.text }
}

process.on('message', async (jobs: readonly MutantJob[]) => {
  const results = jobs[0]?.index === original ? await judgeOriginal(jobs[0]) : await judge(jobs)
  // The parent is gone when the run was interrupted.
  if (process.connected) process.send?.(results satisfies readonly MutantResult[])
})
process.on('disconnect', async () => {
  await harness.close()
  process.exit()
})
process.send?.('ready')
