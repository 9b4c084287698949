/** Describes what is kept of an entry of the history, so that Back returns to its place. */
type Place = {
  scroll: number
  /** Selects the link that was opened last. */
  opened: string | undefined
  readonly lists: Map<string, unknown>
}

const places = new Map<string, Place>()

/** The most entries that are kept; the oldest goes first. */
const mostPlaces = 50

/** The most lists of an entry that are kept. */
const mostLists = 8

/** Returns the name of a new entry of the history. */
export const newEntry = (): string => crypto.randomUUID()

const entryOf = (state: unknown): string =>
  (state as { readonly entry?: string } | null)?.entry ?? 'first'

let here = entryOf(history.state)

function placeHere(): Place {
  const place = places.get(here) ?? { scroll: 0, opened: undefined, lists: new Map() }
  places.set(here, place)
  const [oldest] = places.keys()
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
  return place
}

/** Keeps how far the entry was scrolled that is left by a change of the history. */
export function leaveEntry(change: () => void): void {
  placeHere().scroll = scrollY
  change()
  here = entryOf(history.state)
  stopReturning()
}

/** Keeps which link of the content is opened in this entry, if one is, so that Back focuses it again. */
export function keepOpened(link: Element | undefined): void {
  const isInContent = link !== undefined && link.closest('main') !== null
  placeHere().opened = isInContent ? selectLink(link) : undefined
}

/** Returns a selector of a link, within its row: several rows may have a link to the same place. */
function selectLink(link: Element): string {
  const row = link.closest('[data-row]')?.getAttribute('data-row') ?? undefined
  const within = row === undefined ? '' : `[data-row="${CSS.escape(row)}"] `
  return `main ${within}a[href="${CSS.escape(link.getAttribute('href') ?? '')}"]`
}

/** Keeps a list that was loaded in this entry. */
export function keepList(path: string, value: unknown): void {
  const { lists } = placeHere()
  // A search that is typed replaces its entry again and again.
  if (!lists.has(path) && lists.size >= mostLists) lists.clear()
  lists.set(path, value)
}

/** Returns the list that this entry had loaded from a path. */
export function storedList<T>(path: string): T | undefined {
  return places.get(here)?.lists.get(path) as T | undefined
}

let stopReturning = (): void => undefined

function focusOpened(): void {
  const selector = places.get(here)?.opened
  if (selector === undefined) return
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
}

/**
 * Scrolls to the place of this entry as soon as the page is long enough, unless the visitor scrolls
 * first, and focuses the link that was opened there.
 */
export function returnToPlace(): void {
  const scroll = places.get(here)?.scroll ?? 0
  const observer = new ResizeObserver(() => {
    focusOpened()
    scrollTo(0, scroll)
    if (scrollY >= scroll - 1) stopReturning()
  })
  const byHand = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
  stopReturning = () => {
    observer.disconnect()
    for (const kind of byHand) removeEventListener(kind, stopReturning)
    stopReturning = () => undefined
  }
  for (const kind of byHand) addEventListener(kind, stopReturning, { passive: true })
  observer.observe(document.body)
}
