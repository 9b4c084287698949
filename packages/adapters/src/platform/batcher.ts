/** A question to a node. */
export type Call = { readonly method: string; readonly params?: unknown }

/** What a node answers to a question: one of the two. */
export type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** How a node is asked. */
export type Asking = {
  /** Asks one question in an exchange of its own. */
  readonly alone: (call: Call) => Promise<Answer>
  /**
   * Asks many in one exchange (JSON-RPC 2.0, section 6) and returns the answers in the order of
   * the questions; `undefined` from a node that takes one question at a time.
   */
  readonly batch: (calls: readonly Call[]) => Promise<readonly (Answer | undefined)[] | undefined>
}

/** How many questions share an exchange: some nodes take no more than a hundred. */
const most = 100

type Asked = { readonly call: Call } & PromiseWithResolvers<Answer>

/**
 * Returns what asks in one exchange all that is asked in one turn of the event loop, for an
 * exchange costs both sides far more than a question. What a node leaves out of its answers is
 * asked alone, and so is everything of a node that once answered no list.
 */
export function together({ alone, batch }: Asking): (call: Call) => Promise<Answer> {
  let waiting: Asked[] = []
  let takesLists = true
  const ask = async (asked: readonly Asked[]) => {
    const answers = await batch(asked.map(({ call }) => call))
    takesLists &&= answers !== undefined
    asked.forEach(({ call, resolve, reject }, place) => {
      const answer = answers?.[place]
      if (answer === undefined) alone(call).then(resolve, reject)
      else resolve(answer)
    })
  }
  const askAll = () => {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += most) {
      const some = all.slice(start, start + most)
      ask(some).catch((error: unknown) => {
        for (const { reject } of some) reject(error)
      })
    }
  }
  return (call) => {
    if (!takesLists) return alone(call)
    const asked = { call, ...Promise.withResolvers<Answer>() }
    if (waiting.push(asked) === 1) setImmediate(askAll)
    return asked.promise
  }
}
