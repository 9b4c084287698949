import { Failure } from '@heirloom/core'

/** The most calls that wait or run at once: in all, of one client, and of one account for a client. */
const most = { inAll: 64, perClient: 32, perAccount: 8 }

/** The client that asks for a call, and the account that it is of, which nobody has verified yet. */
export type Turn = {
  /** Absent where clients are not told apart. */
  readonly client?: string | undefined
  readonly account: string
}

/**
 * Returns a function that runs tasks: one at a time for each account, since a second request of an
 * account is valid only after its first, and one for all callers of the same call. The calls that one
 * client asks for do not wait for those of another: anyone can name any account.
 *
 * @throws `service/busy`
 */
export function inTurn<T>(): (call: string, turn: Turn, task: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const [clients, lines] = [tally(), tally()]
  const last = new Map<string, Promise<unknown>>()
  const requireRoom = (client: string | undefined, line: string) => {
    requireBelow(running.size, most.inAll)
    if (client !== undefined) requireBelow(clients.of(client), most.perClient)
    requireBelow(lines.of(line), most.perAccount)
  }
  const queue = async ({ client, account }: Turn, task: () => Promise<T>): Promise<T> => {
    const line = `${client ?? ''} ${account.toLowerCase()}`
    requireRoom(client, line)
    const result = (last.get(line) ?? Promise.resolve()).then(task)
    last.set(
      line,
      result.catch(() => undefined),
    )
    const leave = [clients.enter(client ?? ''), lines.enter(line)]
    try {
      return await result
    } finally {
      for (const end of leave) end()
      if (lines.of(line) === 0) last.delete(line)
    }
  }
  return (call, turn, task) => {
    const same = running.get(call)
    if (same !== undefined) return same
    const result = queue(turn, task)
    running.set(call, result)
    const end = () => void running.delete(call)
    result.then(end, end)
    return result
  }
}

function requireBelow(count: number, limit: number): void {
  if (count >= limit) throw new Failure('service/busy', { limit })
}

/** Returns a count of those who are in, by name. */
function tally() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    /** Counts one more, and returns the function that counts it no more. */
    enter: (name: string) => {
      counts.set(name, of(name) + 1)
      return () => {
        if (of(name) > 1) counts.set(name, of(name) - 1)
        else counts.delete(name)
      }
    },
  }
}
