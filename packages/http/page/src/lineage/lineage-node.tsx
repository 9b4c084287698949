import { useMemo } from 'preact/hooks'
import type { Profile, Relative } from '../../../src/client/responses.ts'
import { termsOf } from '../acts/listing-terms.ts'
import { shortAmount } from '../api/deployment.ts'
import { badges } from '../browse/originality.tsx'
import { useProfile } from '../parts/account.tsx'
import { shortenAccount } from '../text/account.ts'
import { formatDay } from '../text/moment.ts'
import type { LineageItem } from './fold-lineage.ts'
import { box, type Drawing, type PlacedItem } from './lay-out-lineage.ts'

/** Draws the line from an item to what it follows. */
export function Edge({ placed, drawing }: { placed: PlacedItem; drawing: Drawing }) {
  const { item, x: endX, y } = placed
  const parent = item.parent === undefined ? undefined : drawing.items.get(item.parent)
  if (parent === undefined) return undefined
  const [startX, startY] = [parent.x + box.width, parent.y + box.height / 2]
  const middle = (startX + endX) / 2
  const endY = y + box.height / 2
  const link = item.kind === 'token' ? (item.relative.link ?? 'declared') : 'fork'
  return (
    <path
      class={`edge ${link}`}
      d={`M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`}
    />
  )
}

type Props = {
  readonly placed: PlacedItem
  readonly isHere: boolean
  /** Whether the Tab key leads to it. */
  readonly isCurrent: boolean
  readonly onFocus: (id: string) => void
  readonly open: (fold: Fold) => void
}

/** The space between a box and its words. */
const margin = 12

/** A sign for tokens that are not shown. */
export type Fold = Extract<LineageItem, { kind: 'fold' }>

/** Draws a token as a link to its page, or a sign that shows more of them. */
export function Node({ placed, isHere, isCurrent, onFocus, open }: Props): JSX.Element {
  const { item, x, y } = placed
  const common = {
    'data-item': item.id,
    tabIndex: isCurrent ? 0 : -1,
    onFocus: () => onFocus(item.id),
  }
  return (
    <g transform={`translate(${x} ${y})`}>
      {item.kind === 'fold' ? (
        <FoldBox fold={item} open={open} {...common} />
      ) : (
        <TokenBox relative={item.relative} isHere={isHere} {...common} />
      )}
    </g>
  )
}

type Common = {
  readonly 'data-item': string
  readonly tabIndex: number
  readonly onFocus: () => void
}

type FoldBoxProps = Common & { readonly fold: Fold; readonly open: (fold: Fold) => void }

function FoldBox({ fold, open, ...common }: FoldBoxProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own.
    <g
      class="node fold"
      role="button"
      {...common}
      onClick={() => open(fold)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        open(fold)
      }}
    >
      <rect width={box.width} height={box.height} rx="4" />
      <text class="title" x={margin} y="36">
        {`Show ${fold.hidden.toLocaleString('en')} more`}
      </text>
    </g>
  )
}

type TokenBoxProps = Common & { readonly relative: Relative; readonly isHere: boolean }

function TokenBox({ relative, isHere, ...common }: TokenBoxProps): JSX.Element {
  const words = wordsOf(relative, useProfile(relative.token.owner))
  const { tokenId } = relative.token
  return (
    <a
      class={isHere ? 'node here' : 'node'}
      href={`/token/${tokenId}`}
      data-token={tokenId}
      {...common}
      {...(isHere && { 'aria-current': 'true' as const })}
    >
      {/* The name of the link, since its title may be shortened. */}
      <title>{`${words.number} ${words.title} ${words.how} ${words.day}`.trim()}</title>
      <rect width={box.width} height={box.height} rx="4" />
      <Label {...words} />
    </a>
  )
}

/** The words in the box of a token. */
type Words = Readonly<Record<'number' | 'title' | 'how' | 'day', string>>

function wordsOf({ token, link }: Relative, profile: Profile | undefined): Words {
  const { tokenId, card, originality } = token
  return {
    number: `No. ${tokenId}${originality === 'original' ? '' : ` · ${badges[originality]}`}`,
    title: card?.title ?? 'Untitled memory',
    how: describeLink(link, token, profile),
    // Forks of one memory have one title, and differ in this.
    day: link === 'fork' ? formatDay(Number(token.timestamp)) : '',
  }
}

/** Shows the words in the box of a token; its title is shortened to the box. */
function Label({ number, title, how, day }: Words): JSX.Element {
  const width = box.width - 2 * margin
  const shown = useMemo(
    () => ({
      title: fitTitle(title, { width, measure: measureTitle }),
      how: fitTitle(how, { width: width / smaller, measure: measureTitle }),
    }),
    [title, how],
  )
  return (
    <>
      <text class="number" x={margin} y="19">
        {day === '' ? number : `${number} · ${day}`}
      </text>
      {/* Isolated, so that right-to-left text does not affect its surroundings. */}
      <text class="title" x={margin} y="37" direction="ltr">
        {`\u{2068}${shown.title}\u{2069}`}
      </text>
      <text class="how" x={margin} y="53">
        {shown.how}
      </text>
    </>
  )
}

/** Describes how a token follows from its parent; of a fork, which are many, whose it is and its price. */
function describeLink(
  link: Relative['link'],
  { owner, listing }: Relative['token'],
  profile: Profile | undefined,
): string {
  if (link !== 'fork') return link ?? 'original'
  const { price = '0', currency = 'native' } = listing === null ? {} : termsOf(listing)
  const amount = shortAmount(price, currency)
  const mark = profile?.resembles === undefined ? '' : ' (similar name)'
  const name = profile === undefined ? '' : `${profile.name}${mark} `
  return `by ${name}${shortenAccount(owner)}${price === '0' ? '' : `, ${amount}`}`
}

/** The size of the other words beside that of a title. */
const smaller = 0.86

/** The font of titles in the style sheet, in rem. */
const titleSize = 0.82

/** Measures texts; made with the first title. */
let context: CanvasRenderingContext2D | null | undefined

/** The widths of characters in the font of titles: each is measured once. */
const widths = new Map<string, number>()

/** Measures a title in the font of the drawing, character by character. */
const measureTitle = (text: string): number =>
  [...text].reduce((sum, it) => sum + (widths.get(it) ?? measureCharacter(it)), 0)

function measureCharacter(character: string): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (context === null) return 0
  if (widths.size === 0) context.font = titleFont()
  const { width } = context.measureText(character)
  widths.set(character, width)
  return width
}

function titleFont(): string {
  const style = getComputedStyle(document.documentElement)
  return `${titleSize * Number.parseFloat(style.fontSize)}px ${style.getPropertyValue('--sans')}`
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A width, and the function that measures a text in the same units. */
type TitleSpace = { readonly width: number; readonly measure: (text: string) => number }

/** The part of the shown letters that is the end of the title. */
const endShare = 0.5

/** Shortens a title in its middle to a width, because titles often differ in their ends only. */
export function fitTitle(title: string, { width, measure }: TitleSpace): string {
  if (measure(title) <= width) return title
  const all = [...letters.segment(title)].map(({ segment }) => segment)
  let [fits, most] = [0, all.length - 1]
  while (fits < most) {
    const count = Math.ceil((fits + most) / 2)
    if (measure(shorten(all, count)) <= width) fits = count
    else most = count - 1
  }
  return shorten(all, fits)
}

/** Returns as many letters of a title as given, from its start and its end, without separators between them. */
function shorten(all: readonly string[], count: number): string {
  const atEnd = Math.floor(count * endShare)
  const start = all.slice(0, count - atEnd).join('')
  const end = all.slice(all.length - atEnd).join('')
  return `${start.trimEnd()}…${end.replace(/^[\s\p{P}]+/u, '')}`
}
