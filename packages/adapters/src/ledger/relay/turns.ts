import { Failure } from '@heirloom/core'

/** The most calls that wait or run at once: in all, and of one account. */
const most = { inAll: 64, perAccount: 8 }

type Line = { length: number; last: Promise<unknown> }

/**
 * Returns a function that runs tasks: one at a time for each account, since a second request of an
 * account is valid only after its first, and one for all callers of the same call.
 *
 * @throws `service/busy`
 */
export function inTurn<T>(): (call: string, account: string, task: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const lines = new Map<string, Line>()
  const joinLine = (account: string) => {
    const line = lines.get(account) ?? { length: 0, last: Promise.resolve() }
    if (running.size >= most.inAll) throw new Failure('service/busy', { limit: most.inAll })
    if (line.length < most.perAccount) return line
    throw new Failure('service/busy', { limit: most.perAccount })
  }
  const queue = async (account: string, task: () => Promise<T>): Promise<T> => {
    const line = joinLine(account)
    lines.set(account, line)
    line.length += 1
    const result = line.last.then(task)
    line.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(account)
    }
  }
  return (call, account, task) => {
    const same = running.get(call)
    if (same !== undefined) return same
    const result = queue(account.toLowerCase(), task)
    running.set(call, result)
    const end = () => void running.delete(call)
    result.then(end, end)
    return result
  }
}
