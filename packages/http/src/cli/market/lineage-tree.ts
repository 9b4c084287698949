import type { Lineage, Token } from '../../client/responses.ts'
import type { Line, Span } from '../terminal/output.ts'

/** Draws a lineage as a tree: the ancestors, the token, and its descendants. */
export function lineageTree({ token, ancestors, descendants }: Lineage): readonly Line[] {
  const children = new Map<string, Token[]>()
  const line = [...ancestors.map((it) => it.token)].reverse()
  for (const child of [...line.slice(1), token, ...descendants.map((it) => it.token)]) {
    const siblings = children.get(child.parent) ?? []
    children.set(child.parent, [...siblings, child])
  }
  return branch(
    { token: line[0] ?? token, lead: '', below: '' },
    { children, shown: token.tokenId },
  )
}

type Branch = { readonly token: Token; readonly lead: string; readonly below: string }
type Drawing = { readonly children: ReadonlyMap<string, readonly Token[]>; readonly shown: string }

function branch({ token, lead, below }: Branch, drawing: Drawing): readonly Line[] {
  const children = drawing.children.get(token.tokenId) ?? []
  const last = children.length - 1
  return [
    lineOf(token, lead, drawing.shown === token.tokenId),
    ...children.flatMap((child, at) =>
      branch(
        {
          token: child,
          lead: `${below}${at === last ? '└─ ' : '├─ '}`,
          below: `${below}${at === last ? '   ' : '│  '}`,
        },
        drawing,
      ),
    ),
  ]
}

function lineOf(token: Token, lead: string, isShown: boolean): Line {
  const { tokenId, card, creator, link, royaltyBps, originality } = token
  const name: string | Span = isShown ? { style: 'bold', text: tokenId } : tokenId
  const kind = link === 'fork' ? ` fork, ${(royaltyBps ?? 0) / 100} %` : ''
  const title = card ? ` “${card.title}”` : ''
  const mark = originality === 'original' ? '' : ` [${originality}]`
  const by = { style: 'dim', text: ` by ${creator}` } as const
  return [lead, name, kind, title, mark, by, isShown ? ' ◀' : '']
}
