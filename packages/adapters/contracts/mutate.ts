import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { testFiles } from './mutation/test-harness.ts'
import { readSources } from './mutation/compiler.ts'
import { askCrew } from './mutation/worker-pool.ts'
import { lineOf, listFile, readList, tallyOf, type Verdict, writeList } from './mutation/list.ts'
import { ends, type Mutant, mutantsOf, original } from './mutation/mutants.ts'

// An even sample of this many shows in seconds that the tests still bite.
const sampleSize = 20

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Judges those that the list does not tell to be killed, and keeps what it tells of the others. */
    rest: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
})

const { sources, trees } = readSources()
const mutants = mutantsOf(sources, trees)
const told = readList()
const verdicts = mutants.map((mutant): Verdict => {
  const end = options.rest ? told.get(mutant.name) : undefined
  return { mutant, end: end ?? ends.notJudged }
})

function chosen(): readonly number[] {
  const open = [...verdicts.keys()].filter((index) => {
    const { end } = verdictAt(index)
    return end === ends.notJudged || end === ends.survived
  })
  const step = options.quick ? Math.ceil(open.length / sampleSize) : 1
  return open.filter((_, place) => place % step === 0)
}

function verdictAt(index: number): Verdict {
  const verdict = verdicts[index]
  if (!verdict) throw new Error(`There is no mutant ${index}.`)
  return verdict
}

// When each test file last killed a mutant of a source: a fault is mostly found by who found the one beside it.
const kills = new Map<string, number>()

/** Asks first whoever killed the mutant in the last run, then whoever killed its neighbours. */
function orderFor({ name, path }: Mutant): readonly string[] {
  const last = told.get(name)?.split(' > ')[0]
  const rank = (file: string) =>
    file === last ? Number.POSITIVE_INFINITY : (kills.get(`${path} ${file}`) ?? 0)
  return testFiles.toSorted((a, b) => rank(b) - rank(a))
}

function note(index: number, end: string): void {
  if (index === original) {
    requireSurvival(end)
    return
  }
  const { mutant } = verdictAt(index)
  const killer = `${mutant.path} ${end.split(' > ')[0]}`
  kills.set(killer, performance.now())
  verdicts[index] = { mutant, end }
  process.stdout.write(`${lineOf({ mutant, end })}\n`)
  // Written at every step, so that a run that is cut short can be taken up again.
  if (!options.quick) writeFileSync(listFile, writeList(verdicts))
}

function requireSurvival(end: string): void {
  if (end !== ends.survived) throw new Error(`The tests fail without any fault: ${end}.`)
}

const began = performance.now()
const indices = chosen()
const questions = indices.map((index) => () => ({
  index,
  files: orderFor(verdictAt(index).mutant),
}))
const untouched = () => ({ index: original, files: testFiles })
await askCrew([untouched, ...questions], Number(options.workers), note)
if (!options.quick) writeFileSync(listFile, writeList(verdicts))

const judged = verdicts.filter(({ end }) => end !== ends.notJudged)
const { killed, survived, equivalent, sameCode, notCompiled } = tallyOf(judged)
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(
  [
    `judged ${indices.length} of ${mutants.length} mutants in ${seconds} s`,
    `${equivalent} equivalent, ${sameCode} of the same code, ${notCompiled} not compiled`,
    `killed ${killed} of ${killed + survived}`,
    '',
  ].join('\n'),
)
if (survived > 0) process.exitCode = 1
