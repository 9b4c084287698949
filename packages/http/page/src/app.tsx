import { useEffect, useRef } from 'preact/hooks'
import type { Act } from './acts/act.ts'
import { closedAct, openAct } from './acts/pending-act.ts'
import { Browse } from './browse/browse.tsx'
import { Masthead } from './masthead.tsx'
import { openPanel } from './palette/shortcuts.ts'
import { isExact, toggleExact } from './parts/amount.tsx'
import { announcement, useTitle } from './parts/announce.ts'
import { Dialog } from './parts/dialog.tsx'
import { lazy } from './parts/lazy.tsx'
import { type Route, route } from './route.ts'

const TokenView = lazy(async () => (await import('./token/token.tsx')).TokenView)

const Mine = lazy(async () => (await import('./account/mine.tsx')).Mine)

const Create = lazy(async () => (await import('./create/create.tsx')).Create)

const Activity = lazy(async () => (await import('./activity/activity.tsx')).Activity)

const Operate = lazy(async () => (await import('./operate/operate.tsx')).Operate)

const AccountView = lazy(async () => (await import('./account/account.tsx')).AccountView)

const Docs = lazy(async () => (await import('./docs/docs.tsx')).Docs)

const PendingNotice = lazy(async () => (await import('./acts/pending-notice.tsx')).PendingNotice)

const OpenPanel = lazy(async () => (await import('./palette/command-dialog.tsx')).OpenPanel)

/** The root component of the page. */
export function App(): JSX.Element {
  const act = openAct.value
  const pending = closedAct.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {route.value.view === 'browse' && (
        <a class="skip" href="#results">
          Skip to the results
        </a>
      )}
      <Masthead />
      <Main />
      <footer>
        <p>
          Heirloom stores memories encrypted and proves them on a chain. This page loads everything
          from this server. <a href="/docs">Reference and guides</a> ·{' '}
          <a href="/operate">Operate</a>
        </p>
        <p class="exactness">
          <button type="button" aria-pressed={isExact.value} onClick={toggleExact}>
            Exact amounts and times
          </button>
        </p>
      </footer>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      {act !== undefined && (
        <Dialog key={act} title={getTitle(act)} onClose={close}>
          <ActSteps act={act} close={close} />
        </Dialog>
      )}
      {openPanel.value !== undefined && <OpenPanel />}
      {pending !== undefined && <PendingNotice key={pending} pending={pending} />}
    </>
  )
}

function Main(): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  const { value } = route
  const viewKey = keyOf(value)
  const isFirst = useRef(true)
  useEffect(() => {
    const main = ref.current
    // Back may have focused the link that was opened here.
    const hasFocus = main?.contains(document.activeElement) === true
    if (!isFirst.current && !hasFocus) main?.focus({ preventScroll: true })
    isFirst.current = false
  }, [viewKey])
  return (
    <main id="main" ref={ref} tabIndex={-1}>
      <View of={value} key={viewKey} />
    </main>
  )
}

function keyOf(of: Route): string {
  if (of.view === 'token') return `token/${of.tokenId}`
  if (of.view === 'docs') return `docs/${of.guide ?? ''}`
  return of.view === 'account' ? `account/${of.account}` : of.view
}

function View({ of }: { readonly of: Route }): JSX.Element {
  switch (of.view) {
    case 'browse':
      return <Browse query={of.query} />
    case 'token':
      return <TokenView tokenId={of.tokenId} query={of.query} />
    case 'mine':
      return <Mine query={of.query} />
    case 'create':
      return <Create />
    case 'activity':
      return <Activity query={of.query} />
    case 'operate':
      return <Operate />
    case 'account':
      return <AccountView account={of.account} query={of.query} />
    case 'docs':
      return <Docs guide={of.guide} query={of.query} />
    case 'not-found':
      return <NotFound />
  }
}

/** Shows that an address has no page. */
function NotFound(): JSX.Element {
  useTitle('Page not found')
  return (
    <section class="empty">
      <h1>Page not found</h1>
      <p>
        There is no page at this address. It may have been mistyped: look for what you want by its
        words, or go to <a href="/mine">my memories</a>.
      </p>
      <p class="buttons">
        <a class="button main" href="/">
          Browse the memories
        </a>
      </p>
    </section>
  )
}

/** The contents of the dialog of an act, which opens at once. */
const ActSteps = lazy<{ readonly act: Act; readonly close: () => void }>(
  async () => (await import('./acts/act-steps.tsx')).ActSteps,
)

const close = () => {
  openAct.value = undefined
}

const titles: { readonly [kind in Act['kind']]: string } = {
  buy: 'Buy',
  rent: 'Rent',
  fork: 'Fork',
  list: 'List',
  'take-down': 'Take down',
  transfer: 'Transfer',
  royalty: 'Pay a royalty to the creator of',
  withdraw: 'Withdraw your credit',
  mint: 'Mint your memory',
  'name-heir': 'Name your heir',
  'clear-heir': 'Have no heir',
  heartbeat: 'Say that you are here',
  'announce-takeover': 'Announce that you take over',
  'take-over': 'Take over memories',
  'take-over-credit': 'Take over the credit',
}

/** Returns the title of an act. */
function getTitle(act: Act): string {
  const title = titles[act.kind]
  return 'tokenId' in act ? `${title} No. ${act.tokenId}` : title
}
