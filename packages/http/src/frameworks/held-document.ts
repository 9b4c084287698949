import type { Change, NamedDocument } from './named-document.ts'
import type { Data } from './state.ts'

/** The most changes that are held; the next one waits until they are saved. */
const mostHeld = 1_000

/** Returns a document that holds changes in the memory of this process until `flush` saves them. */
export function heldDocument(document: NamedDocument): NamedDocument {
  let local: Data | undefined
  let held: Change<unknown>[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const save = async () => {
    if (held.length === 0) return
    // They are applied again, to the newest version; after a failure they are still held.
    local = await document.change(async (data) => {
      let changed = data
      for (const apply of held) [changed] = await apply(changed)
      return [changed, changed]
    })
    held = []
  }
  const read = async () => {
    // What others saved is seen whenever nothing is held here.
    if (held.length === 0 || local === undefined) local = await document.read()
    return local
  }
  return {
    read: () => inTurn(read),
    change: (apply) =>
      inTurn(async () => {
        if (held.length >= mostHeld) await save()
        const before = await read()
        const [changed, result] = await apply(before)
        if (changed !== before) held.push(apply)
        local = changed
        return result
      }),
    flush: () => inTurn(save),
    forget: () =>
      inTurn(async () => {
        held = []
        local = undefined
        await document.forget()
      }),
  }
}
