import { signal } from '@preact/signals'

/** Counts what happened on the chain since the page was opened; whoever shows the chain looks again. */
export const changes = signal(0)

const kinds = ['mint', 'card', 'transfer', 'listing', 'sale', 'rental', 'fork', 'royalty']

/** How long to gather events before looking again, in milliseconds: a block can hold many. */
const gathering = 150

/** Follows what happens on the chain for as long as somebody looks at the page. */
export function followChanges(): void {
  let source: EventSource | undefined
  let last = ''
  let due: ReturnType<typeof setTimeout> | undefined
  const tell = (event: MessageEvent) => {
    last = event.lastEventId || last
    if (due !== undefined) return
    due = setTimeout(() => {
      due = undefined
      changes.value += 1
    }, gathering)
  }
  const open = () => {
    source = new EventSource(last === '' ? '/api/events' : `/api/events?after=${last}`)
    // What happened before the stream began is not told by it.
    source.addEventListener('open', lookAgain)
    for (const kind of [...kinds, 'reorganised']) source.addEventListener(kind, tell)
  }
  // A browser grants a server few connections; a page that nobody sees holds none.
  const look = () => {
    if (document.visibilityState === 'visible') {
      if (source === undefined) open()
      return
    }
    source?.close()
    source = undefined
  }
  document.addEventListener('visibilitychange', look)
  look()
}

/** Has everything that shows the chain look again. */
export function lookAgain(): void {
  changes.value += 1
}
