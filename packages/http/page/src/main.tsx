import { effect } from '@preact/signals'
import { render } from 'preact'
import { subscribeToChanges } from './api/changes.ts'
import { loadDeployment } from './api/deployment.ts'
import { App } from './app.tsx'
import { applyTheme } from './masthead.tsx'
import { listenForShortcuts } from './palette/shortcuts.ts'
import { interceptLinks } from './route.ts'
import { announcedWallets, discoverWallets, isReconnecting } from './wallet/connected-wallet.ts'
import { detectRpc, hasRpc } from './wallet/rpc-provider.ts'

type Focusable = HTMLElement | SVGElement

/**
 * The element that had the focus last, and its ancestors, nearest first. Those of a dialog end with
 * what had the focus before it.
 */
let trail: readonly Focusable[] = []

/** Whether the visitor took the focus away from it, as by a click beside. */
let isLeft = false

/** The first row that came when the focus was lost. */
let newRow: Focusable | undefined

/** The element that cannot have the focus for now, as a button that is disabled, and the one that has it instead. */
let away: { readonly from: Focusable; readonly to: Element } | undefined

let isDue = false

/**
 * Keeps the focus of the keyboard near its place. When the element that has it is removed, disabled
 * or hidden, the focus goes to the row that came instead, or else to the nearest ancestor that
 * remains and takes it, or the first heading inside.
 */
function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (isFocusable(target)) enter(target)
  })
  addEventListener('focusout', ({ target }) => {
    // An element is removed only after this event.
    queueMicrotask(() => {
      isLeft = isLost() && isFocusable(target) && isUsable(target)
    })
  })
  for (const kind of ['keydown', 'pointerdown']) {
    addEventListener(kind, () => {
      away = undefined
    })
  }
  new MutationObserver(notice).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  })
}

const isFocusable = (it: unknown): it is Focusable =>
  it instanceof HTMLElement || it instanceof SVGElement

const isLost = (): boolean => (document.activeElement ?? document.body) === document.body

const isUsable = (it: Focusable): boolean =>
  it.isConnected && !it.matches(':disabled') && it.checkVisibility()

function enter(element: Focusable): void {
  trail = trailOf(element)
  isLeft = false
  newRow = undefined
  away = undefined
}

function trailOf(element: Focusable): readonly Focusable[] {
  const inside: Focusable[] = []
  for (let it = element.parentElement; it !== null; it = it.parentElement) inside.push(it)
  const end = inside.findIndex((it) => it.localName === 'dialog')
  const path = [element, ...inside]
  if (end === -1) return path
  return [...path.slice(0, end + 2), ...trail.slice(trail.indexOf(inside[end] ?? element) + 1)]
}

/** Checks the focus after what has changed is painted: a view that moves the focus itself comes first. */
function notice(changes: readonly MutationRecord[]): void {
  if (isLost() && trail.length > 0) newRow ??= findRow(changes)
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => setTimeout(check))
}

const findRow = (changes: readonly MutationRecord[]): Focusable | undefined =>
  changes
    .flatMap(({ addedNodes }) => [...addedNodes])
    .filter(isFocusable)
    .find((it) => it.matches('li, tr'))

function check(): void {
  isDue = false
  if (away !== undefined && document.activeElement === away.to) moveTo(away.from)
  const [from] = trail
  if (!isLost() || isLeft || from === undefined) return
  const to = listPlaces().find(moveTo)
  if (to !== undefined && to !== from && from.isConnected) away = { from, to }
}

/** Lists where the focus may go, the nearest place first. */
function listPlaces(): readonly Focusable[] {
  const remaining = trail.filter((it) => it.isConnected)
  const isNear = newRow !== undefined && remaining[0]?.contains(newRow)
  const places = remaining.flatMap((it) => [it.tabIndex < 0 ? null : it, headingOf(it)])
  return [isNear ? newRow : null, ...places, document.querySelector('main')].filter(isFocusable)
}

const headingOf = (it: Element): Element | null =>
  it.querySelector(it.localName === 'details' ? ':scope > summary' : 'h1, h2, h3')

/** Moves the focus to an element, and returns whether it took it. */
function moveTo(element: Focusable): boolean {
  const isOfPath = trail.includes(element)
  if (element.tabIndex < 0) element.setAttribute('tabindex', '-1')
  element.focus({ preventScroll: true })
  const isThere = document.activeElement === element
  // Who sees where the focus is must see it; an ancestor is in sight.
  if (isThere && !isOfPath && element.matches(':focus-visible')) {
    element.scrollIntoView({ block: 'nearest' })
  }
  return isThere
}

applyTheme()
interceptLinks()
keepFocus()
listenForShortcuts()
discoverWallets()
subscribeToChanges()

/** The longest that a title waits for the rest of its view, and for a wallet or a node that does not answer, in milliseconds. */
const longestFirst = 2_000

/**
 * Shows the page in the place of what its document shows before any script. A title stays until its
 * view is there, or a dialog goes on with what was begun before.
 */
function show(first: Element): void {
  const page = first.cloneNode() as Element
  render(<App />, page)
  const isWaiting = () => page.matches(':has(main > .waiting):not(:has(dialog))')
  const observer = new MutationObserver(() => isWaiting() || replace())
  const replace = () => {
    observer.disconnect()
    first.replaceWith(page)
  }
  observer.observe(page, { subtree: true, childList: true })
  setTimeout(replace, longestFirst)
  if (first.querySelector('h1') === null || !isWaiting()) replace()
}

const first = document.getElementById('page')
if (first !== null) show(first)

const settled = () => {
  isReconnecting.value = false
}
setTimeout(settled, longestFirst)

/**
 * Connects the wallet of the last visit. The module does not await it: what is imported here imports
 * from this file and would wait for it in turn.
 */
async function restoreWallet(): Promise<void> {
  await detectRpc((await loadDeployment()).chainId)
  if (localStorage.getItem('heirloom.wallet') === null) return
  const { reconnect } = await import('./wallet/connect-wallet.ts')
  // Wallets may announce themselves late.
  effect(() => {
    reconnect(announcedWallets.value, hasRpc.value).finally(settled)
  })
}
void restoreWallet()
