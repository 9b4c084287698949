import { readFileSync } from 'node:fs'
import { compilePair, type Pair, readSources } from './compiler.ts'
import { ends, mutantsOf, original } from './mutants.ts'
import { openTestHarness } from './test-harness.ts'

/** A job for a worker: a mutant, and the test files in their order. */
export type MutantJob = { readonly index: number; readonly files: readonly string[] }

/** The end of a mutant: one of `ends`, or the test that killed it. */
export type MutantResult = { readonly index: number; readonly end: string }

const { sources, trees } = readSources()

const mutants = mutantsOf(sources, trees)
const harness = await openTestHarness()
const originalPair = compileOriginal()

/** Compiles the original sources; requires the committed code, so that mutants differ by one fault. */
function compileOriginal(): Pair {
  const pair = compilePair(sources)
  if (!pair) throw new Error('The contracts do not compile.')
  const generated = new URL('../../src/ledger/deployment/creation.generated.ts', import.meta.url)
  if (!readFileSync(generated, 'utf8').includes(pair.memoryMarketplaceBytecode)) {
    throw new Error('creation.generated.ts is not what the mutation run compiles.')
  }
  return pair
}

async function judge({ index, files }: MutantJob): Promise<string> {
  if (index === original) return (await harness.firstFailure(originalPair, files)) ?? ends.survived
  const mutant = mutants[index]
  if (!mutant) throw new Error(`There is no mutant ${index}.`)
  const pair = compilePair({ ...sources, [mutant.path]: mutant.text })
  if (!pair) return ends.notCompiled
  if (pair.memoryMarketplaceBytecode === originalPair.memoryMarketplaceBytecode)
    return ends.sameCode
  return (await harness.firstFailure(pair, files)) ?? ends.survived
}

process.on('message', async (job: MutantJob) => {
  const end = await judge(job)
  // The parent is gone when the run was interrupted.
  if (process.connected) process.send?.({ index: job.index, end } satisfies MutantResult)
})
process.on('disconnect', async () => {
  await harness.close()
  process.exit()
})
process.send?.('ready')
