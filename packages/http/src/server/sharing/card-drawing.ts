import type { CataloguedToken } from '@heirloom/core'
import { drawRosette } from '../../api/rosette.ts'

/** The scripts that the font of the images has, with marks, digits and punctuation. */
const drawable =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Georgian}\p{Script=Inherited}\p{Script=Common}]*$/u

/** Describes what takes no place on a line, or is in no font of ours: controls, formats and pictographs. */
const undrawable =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{VS}/gu

/**
 * Returns a text on one line as the font of the images can show it, without pictographs; `undefined`
 * when nothing is left, or when it has letters that the font does not have.
 */
export function drawableText(text: string): string | undefined {
  // Digits and some signs are pictographs, too, as Unicode counts them.
  const cleaned = text.replace(undrawable, (sign) =>
    /[\p{N}\p{P}\p{Sc}©®™]/u.test(sign) ? sign : ' ',
  )
  const line = cleaned.replace(/\s+/gu, ' ').trim()
  return line !== '' && drawable.test(line) ? line : undefined
}

/**
 * Breaks a line into at most `most` lines, each at most `width` wide as small letters are, between
 * words where that is possible. A text that is longer ends in an ellipsis.
 */
export function breakLines(line: string, width: number, most: number): readonly string[] {
  const lines: string[] = []
  let rest = line
  while (rest !== '' && lines.length < most) {
    const taken = firstLine(rest, width)
    rest = rest.slice(taken.length).trimStart()
    lines.push(taken.trimEnd())
  }
  if (rest === '') return lines
  const last = fittingPart(lines.pop() ?? '', width - 1)
  return [...lines, `${last.trimEnd()}…`]
}

/** Returns the beginning of a text that fits a line; at least one character. */
function firstLine(text: string, width: number): string {
  const fitting = fittingPart(text, width)
  if (fitting === text) return text
  const space = text.charAt(fitting.length) === ' ' ? fitting.length : fitting.lastIndexOf(' ')
  if (space > 0) return text.slice(0, space)
  return fitting === '' ? String.fromCodePoint(text.codePointAt(0) ?? 0) : fitting
}

function fittingPart(text: string, width: number): string {
  let [at, room] = [0, width]
  for (const character of text) {
    room -= widthOf(character)
    if (room < 0) break
    at += character.length
  }
  return text.slice(0, at)
}

/** Returns the width of a character in widths of a small letter, rather too large than too small. */
export function widthOf(character: string): number {
  if (/[MWmw@%&ЖШЩЮжшщюƜɯ—…]/u.test(character)) return 1.6
  return /[\p{Lu}\p{S}\p{N}]/u.test(character) ? 1.2 : 1
}

/** The size of an image in pixels, the one that sites show large. */
export const imageSize = { width: 1200, height: 630 } as const

/** Describes what an image shows of a token. */
type DrawnToken = Pick<
  CataloguedToken,
  'tokenId' | 'card' | 'contentHash' | 'creator' | 'originality' | 'erasedAt'
>

/** Describes what an image shows of a view; the rosette is drawn from the bytes of a hash or an address. */
export type DrawnView = {
  readonly title: string
  readonly description: string
  readonly rosette: string
}

/** Describes what an image shows. */
export type Drawn = DrawnToken | DrawnView

const paper = '#f6f1e5'
const ink = '#23201b'
const soft = '#5d5648'
const rule = '#d8cdb6'
const inks = ['#7a2e2b', '#1f4068', '#23513c', '#4d3370', '#6b4a1f', '#1f5560']

/**
 * Draws a token or a view as an SVG image of 1200 by 630 pixels. Of a token it shows the seal of its
 * memory, its title, category, number and creator; no price, because sites keep images for long. A
 * title in letters that the font does not have is left out.
 */
export function drawCard(drawn: Drawn): string {
  const { width, height } = imageSize
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<rect x="24" y="24" width="${width - 48}" height="${height - 48}" fill="none" stroke="${rule}" stroke-width="2"/>`,
    seal('rosette' in drawn ? drawn.rosette : drawn.contentHash),
    ...('rosette' in drawn ? textsOfView(drawn) : texts(drawn)),
    '</svg>',
  ].join('')
}

function seal(contentHash: string): string {
  const { curves, ink: color } = drawRosette(contentHash)
  const paths = curves.map((d) => `<path d="${d}"/>`).join('')
  return [
    `<g transform="translate(70 115) scale(4)" fill="none" stroke="${inks[color]}" stroke-width=".6">`,
    `<circle cx="50" cy="50" r="47"/><circle cx="50" cy="50" r="44.5"/>${paths}</g>`,
  ].join('')
}

const left = 520

function texts({ tokenId, card, creator, originality, erasedAt }: DrawnToken): readonly string[] {
  const title = erasedAt === undefined ? drawableText(card?.title ?? '') : undefined
  const lines = breakLines(title ?? `Memory No. ${tokenId}`, 20, 4)
  const category = drawableText(card?.category ?? '')
  const number = [`No. ${tokenId}`, ...(category === undefined ? [] : [category])].join(' · ')
  const marks = [
    ...(originality === 'copied' ? ['A copy: nobody can open it'] : []),
    ...(erasedAt === undefined ? [] : ['Its memory was erased']),
  ]
  const top = 290 - lines.length * 32
  return [
    line(number, { y: top - 44, size: 26, color: soft, width: 38 }),
    ...lines.map((text, at) => line(text, { y: top + 30 + at * 64, size: 50, isBold: true })),
    ...marks.map((text) => line(text, { y: 470, size: 26, color: '#8a211d' })),
    line(`by ${creator.slice(0, 6)}…${creator.slice(-4)}`, { y: 520, size: 26, color: soft }),
    signature(),
  ]
}

function textsOfView({ title, description }: DrawnView): readonly string[] {
  const lines = breakLines(title, 20, 4)
  const details = breakLines(description, 38, 3)
  return [
    ...lines.map((text, at) => line(text, { y: 190 + at * 64, size: 50, isBold: true })),
    ...details.map((text, at) => line(text, { y: 440 + at * 38, size: 26, color: soft })),
    signature(),
  ]
}

const signature = () => line('Heirloom', { y: 565, size: 26, color: '#7a2e2b', isBold: true })

type Line = {
  readonly y: number
  readonly size: number
  readonly color?: string
  readonly isBold?: boolean
  readonly width?: number
}

function line(text: string, { y, size, color = ink, isBold = false, width = 40 }: Line): string {
  const weight = isBold ? ' font-weight="bold"' : ''
  const [shown = ''] = breakLines(text, width, 1)
  return `<text x="${left}" y="${y}" font-size="${size}" fill="${color}"${weight}>${escapeMarkup(shown)}</text>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as the content of an element or of a quoted attribute, in HTML and in XML. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => entities[sign] as string)
