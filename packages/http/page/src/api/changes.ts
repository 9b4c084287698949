import { effect, signal } from '@preact/signals'
import { hasAlerts } from '../watch-list.ts'
import { addressOf, eventBeforeFirstRead, readsAtOtherEvents } from './get-json.ts'

/** A counter of changes on the chain; views that read it load their data again. */
export const changes = signal(0)

const acts = ['listing', 'sale', 'rental', 'fork', 'royalty']
const kinds = ['mint', 'card', 'transfer', ...acts, ...acts.map((act) => `dollar-${act}`)]

/** The time to collect events before a refresh, in milliseconds: a block can have many. */
const debounce = 150

/** Subscribes to the event stream while the page is visible, or notifies of watched memories. */
export async function subscribeToChanges(): Promise<void> {
  let source: EventSource | undefined
  let last = (await eventBeforeFirstRead) ?? ''
  let isResumed = last !== ''
  let due: ReturnType<typeof setTimeout> | undefined
  const onEvent = (event: MessageEvent) => {
    last = event.lastEventId || last
    if (hasAlerts.value) import('./alert-visitor.ts').then((it) => it.alertVisitor(event))
    if (due !== undefined) return
    due = setTimeout(() => {
      due = undefined
      changes.value += 1
    }, debounce)
  }
  const open = () => {
    source = new EventSource(addressOf('events', { after: last }))
    source.addEventListener('open', () => {
      // A stream that goes on after the first read misses nothing; another one has no earlier events.
      if (!isResumed) refreshAll()
      isResumed = false
    })
    for (const kind of [...kinds, 'reorganised']) source.addEventListener(kind, onEvent)
  }
  // A browser allows few connections to a server; a hidden page uses none, unless it is to notify.
  const update = () => {
    if (document.visibilityState === 'visible' || hasAlerts.value) {
      if (source === undefined) open()
      return
    }
    source?.close()
    source = undefined
  }
  document.addEventListener('visibilitychange', update)
  effect(update)
  effect(() => {
    if (readsAtOtherEvents.value > 0) queueMicrotask(refreshAll)
  })
}

/** Makes all views of the chain load their data again. */
export function refreshAll(): void {
  changes.value += 1
}
