import { useEffect, useRef, useState } from 'preact/hooks'
import type { Hex } from 'viem'
import type { Rentals, Token } from '../../../src/client/responses.ts'
import { openRequest } from '../acts/pending-act.ts'
import { type Resource, useRead } from '../api/use-resource.ts'
import { Category, Made, Marks, Tags } from '../browse/memory-card.tsx'
import { Account } from '../parts/account.tsx'
import { useTitle } from '../parts/announce.ts'
import { Loading, lazy, WhenSeen } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { AccountSeal, Seal } from '../parts/seal.tsx'
import { Button, ButtonLine, Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { UserText } from '../parts/user-text.tsx'
import { navigate } from '../route.ts'
import { connectedWallet, isReconnecting } from '../wallet/connected-wallet.ts'
import { toggleWatched, watched } from '../watch-list.ts'
import { EarlierIds, MemoryFacts } from './memory-facts.tsx'
import { summarizeRatings, useRatingCounts } from './rating-summary.tsx'
import { OwnerPanel, TermsPanel } from './terms-panel.tsx'
import { UseMemory } from './use-memory.tsx'
import { hasAccess, useToken } from './use-token.ts'

const LineageGraph = lazy(async () => (await import('../lineage/lineage-graph.tsx')).LineageGraph)

const OpenMemory = lazy(async () => (await import('../open/open-memory.tsx')).OpenMemory)

const ExcerptList = lazy(async () => (await import('./excerpt-list.tsx')).ExcerptList)

const Ratings = lazy(async () => (await import('./ratings.tsx')).Ratings)

const History = lazy(async () => (await import('../activity/history.tsx')).History)

const ProvenanceFacts = lazy(async () => (await import('./provenance-facts.tsx')).ProvenanceFacts)

const Related = lazy(async () => (await import('./related.tsx')).Related)

type ViewProps = { readonly tokenId: string; readonly query: string }

/** Shows a memory: from its own row what it is and what it costs, and in tabs what is known about it. */
export function TokenView({ tokenId, query }: ViewProps): JSX.Element {
  const { value, problem } = useToken(tokenId)
  useTitle(value === undefined ? `No. ${tokenId}` : nameOf(value))
  const { rentals, isKnown } = useRentals({ tokenId, query }, value)
  if (value === undefined || isReconnecting.value || !isKnown) {
    if (problem === undefined) return <Loading />
    return (
      <section class="narrow">
        <h1>No. {tokenId}</h1>
        <ProblemNotice problem={problem}>
          <a href="/">Browse the memories</a>
        </ProblemNotice>
        <EarlierIds tokenId={tokenId} />
      </section>
    )
  }
  return (
    <>
      <ProblemNotice problem={problem} />
      <EarlierIds tokenId={tokenId} />
      <TokenDetails token={value} query={query} rentals={rentals} />
    </>
  )
}

/** Reads who rents a memory, where the wallet may; who does sees the contents first, so nothing moves then. */
function useRentals({ tokenId, query }: ViewProps, token: Token | undefined) {
  const mayRent = connectedWallet.value !== undefined || isReconnecting.value
  const isNeeded = mayRent || tabIn(query) === 'history'
  const rentals = useRead('rentals', isNeeded ? { tokenId } : undefined)
  const wasShown = useRef(false)
  wasShown.current ||= token !== undefined && (!mayRent || !rentals.isLoading)
  return { rentals, isKnown: wasShown.current }
}

const nameOf = ({ card, tokenId }: Token) => card?.title ?? `No. ${tokenId}`

const tabs = [
  { id: 'overview', name: 'Overview' },
  { id: 'contents', name: 'Contents' },
  { id: 'ratings', name: 'Ratings' },
  { id: 'history', name: 'History' },
  { id: 'lineage', name: 'Lineage' },
] as const satisfies readonly Tab[]

type TabId = (typeof tabs)[number]['id']

/** Returns the tab that the query of an address names; `undefined` where it names none. */
function tabIn(query: string): TabId | undefined {
  const named = new URLSearchParams(query).get('tab')
  return tabs.find(({ id }) => id === named)?.id
}

/** Returns the grant that the query of an address names, as in the link that an owner sends. */
function grantIn(query: string): Hex | undefined {
  const named = new URLSearchParams(query).get('grant') ?? ''
  return /^0x[0-9a-f]{64}$/.test(named) ? (named as Hex) : undefined
}

type DetailsProps = {
  readonly token: Token
  readonly query: string
  readonly rentals: Resource<Rentals>
}

function TokenDetails({ token, query, rentals }: DetailsProps): JSX.Element {
  const { tokenId } = token
  const shown = { ...tabOf(token, query, rentals.value), rentals }
  const byGrant = shown.grant === undefined ? '' : `&grant=${shown.grant}`
  const hrefOf = (id: string) => `/token/${tokenId}?tab=${id}${byGrant}`
  const isOpen = shown.tab === 'contents'
  const isToOpen = openRequest.value === tokenId && !isOpen
  // What was opened with a signature stays while another tab is looked at.
  const [isOpened, setOpened] = useState(isOpen)
  useEffect(() => {
    if (isOpen) setOpened(true)
  }, [isOpen])
  useEffect(() => {
    if (isToOpen) navigate(hrefOf('contents'), 'replace')
  }, [isToOpen])
  const terms = (
    <aside aria-label="Terms" key="terms">
      <TermsPanel token={token} />
      <OwnerPanel token={token} />
    </aside>
  )
  return (
    <article class="token">
      <Head token={token} ratings={hrefOf('ratings')} />
      {shown.mayOpen !== true && terms}
      <Tabs key="tabs" label="About this memory" tabs={tabs} chosen={shown.tab} hrefOf={hrefOf}>
        {isOpened && (
          <div hidden={!isOpen}>
            <OpenMemory token={token} mayOpen={shown.mayOpen} grant={shown.grant} />
          </div>
        )}
        {shown.tab !== 'contents' && <TabContent token={token} {...shown} tab={shown.tab} />}
      </Tabs>
      {/* Who may open it looks for the contents first, which is seen where both are in one column. */}
      {shown.mayOpen === true && terms}
    </article>
  )
}

type Shown = Readonly<ReturnType<typeof tabOf>> & Pick<DetailsProps, 'rentals'>

/** Returns the tab that is shown: that of the address, else the contents, to an account that may open them. */
function tabOf({ owner }: Token, query: string, rentals: Rentals | undefined) {
  /** Whether the connected wallet has access; `undefined` until that is known. */
  const isOpen = hasAccess(connectedWallet.value?.account, owner, rentals?.items)
  const grant = isOpen ? undefined : grantIn(query)
  const mayOpen = grant === undefined ? isOpen : undefined
  const usual = isOpen || grant ? 'contents' : 'overview'
  return { tab: tabIn(query) ?? usual, mayOpen, grant } as const
}

type ContentProps = Props &
  Pick<Shown, 'rentals' | 'grant'> & { readonly tab: Exclude<TabId, 'contents'> }

function TabContent({ token, tab, rentals, grant }: ContentProps): JSX.Element {
  switch (tab) {
    case 'overview':
      return <Overview token={token} grant={grant} />
    case 'ratings':
      return <Ratings token={token} />
    case 'history':
      return <History token={token} rentals={rentals} />
    case 'lineage':
      return (
        <>
          <Section id="lineage" title="Lineage">
            <LineageGraph tokenId={token.tokenId} />
          </Section>
          <ProvenanceFacts token={token} />
        </>
      )
  }
}

type Props = { readonly token: Token }

/** Shows what a memory is good for. */
function Overview({ token, grant }: Props & Pick<Shown, 'grant'>): JSX.Element {
  return (
    <>
      <MemoryFacts token={token} />
      <Preview token={token} />
      {token.sample !== null && <ExcerptList token={token} />}
      <UseMemory token={token} grant={grant} />
      <WhenSeen>
        <Related token={token} />
      </WhenSeen>
    </>
  )
}

type HeadProps = Props & { readonly ratings: string }

function Head({ token, ratings }: HeadProps): JSX.Element {
  const { tokenId, card, contentHash } = token
  return (
    <header class="head">
      <Seal hash={contentHash} />
      <div>
        <p class="number">
          No. {tokenId}
          <Category of={card} />
          <Marks of={token} />
        </p>
        <h1>{card === null ? 'Untitled memory' : <UserText of={card.title} />}</h1>
        <Byline token={token} ratings={ratings} />
        {card?.description !== undefined && <Description text={card.description} />}
        <Tags of={card?.tags ?? []} />
        <ButtonLine
          name={watched.value.includes(tokenId) ? '★ Stop watching' : '☆ Watch'}
          onClick={() => toggleWatched(tokenId)}
        />
      </div>
    </header>
  )
}

/** Names who made a memory, when, and how it is rated; of a fork, who made the original. */
function Byline({ token, ratings }: HeadProps): JSX.Element {
  const { tokenId, creator, source } = token
  const counts = useRatingCounts(tokenId)
  const maker = source?.creator ?? creator
  const isRated = counts?.some((count) => count > 0)
  return (
    <p class="byline">
      {source === undefined ? 'by' : 'Original by'} <AccountSeal of={maker} />{' '}
      <Account of={maker} />
      {' · '}
      <Made of={token} />
      {isRated && counts !== undefined && (
        <>
          {' · '}
          <a href={ratings} data-stay>
            {summarizeRatings(counts)}
          </a>
        </>
      )}
    </p>
  )
}

/** The characters of a description that are shown at once; a longer one is cut at a line. */
const shortDescription = 320

/** Shows a description, a long one cut until its visitor wants all of it. */
function Description({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > shortDescription || text.split('\n').length > 4
  return (
    <>
      <p class={isLong && !isWhole ? 'lead lines cut' : 'lead lines'} dir="auto">
        {text}
      </p>
      {isLong && (
        <Button
          name={isWhole ? 'Show less' : 'Show all'}
          class="quiet more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        />
      )}
    </>
  )
}

function Preview({ token }: Props): JSX.Element | undefined {
  const { card, originality, erasedAt, sample } = token
  if (erasedAt !== null) return undefined
  if (card === null) {
    return (
      <p class="hint">
        No public description.
        {originality !== 'copied' && ' The owner and renters can open the contents.'}
      </p>
    )
  }
  if (card.preview === undefined) return undefined
  return (
    <Section id="preview" title={sample === null ? 'Sample' : 'In the words of its creator'}>
      <Sample text={card.preview} name="A sample of the memory" />
    </Section>
  )
}
