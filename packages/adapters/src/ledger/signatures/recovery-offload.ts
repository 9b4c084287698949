import type { Worker } from '../../platform/worker.ts'

export declare namespace shared {
  type Parts<Question, Answer> = {
    /** Answers one question in this worker. */
    readonly here: (question: Question) => Promise<Answer>
    /** Answers many in another, in their order. */
    readonly beside: Pick<Worker<readonly Question[], readonly Answer[]>, 'ask' | 'ready'>
    /** The time, in milliseconds; the process's own clock when absent. */
    readonly now?: () => number
  }
}

type Asked<Question, Answer> = { readonly question: Question } & PromiseWithResolvers<Answer>

/** How many questions the worker has at most, so that it has some until the next turn. */
const most = 16

/** How long after a start the next one may come, in milliseconds: starts cost more than answers. */
const patience = 60_000

/**
 * Returns what has questions that wait together answered by the worker, in one message for each turn
 * of the event loop. One that waits alone never waits for the worker, and while the worker has
 * enough, one is answered here in each turn: many keep two processors busy. What the worker had when
 * it died is answered here.
 */
export function shared<Question, Answer>({
  here,
  beside,
  now = () => performance.now(),
}: shared.Parts<Question, Answer>): (question: Question) => Promise<Answer> {
  const waiting: Asked<Question, Answer>[] = []
  const isReady = readiness(beside, now)
  let away = 0
  const hand = async (some: readonly Asked<Question, Answer>[]) => {
    away += some.length
    try {
      const answers = await beside.ask(some.map(({ question }) => question))
      some.forEach(({ resolve }, place) => {
        resolve(answers[place] as Answer)
      })
    } catch {
      put(some)
    } finally {
      away -= some.length
    }
  }
  const put = (some: readonly Asked<Question, Answer>[]) => {
    if (waiting.push(...some) === some.length) setImmediate(turn)
  }
  const turn = () => {
    if (waiting.length > 1 && away <= most / 2 && isReady()) hand(waiting.splice(0, most - away))
    const next = waiting.shift()
    if (next !== undefined) here(next.question).then(next.resolve, next.reject)
    if (waiting.length > 0) setImmediate(turn)
  }
  return (question) => {
    const asked = { question, ...Promise.withResolvers<Answer>() }
    put([asked])
    return asked.promise
  }
}

type Beside = Pick<Worker<readonly never[], unknown>, 'ask' | 'ready'>

/** Returns what tells whether a worker would answer at once; one that would not is started. */
function readiness(beside: Beside, now: () => number): () => boolean {
  let startedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (beside.ready()) return true
    if (now() - startedAt >= patience) {
      startedAt = now()
      // One that does not start is done without.
      beside.ask([]).catch(() => undefined)
    }
    return false
  }
}
