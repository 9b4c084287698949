import type { SecretFinding } from '@heirloom/adapters/formats'
import { parsePointer } from '@heirloom/core'
import { withFormats } from '../formats/with-formats.ts'
import { Check } from '../parts/form-fields.tsx'
import { NoticeBox } from '../parts/notice.tsx'
import { UserText } from '../parts/user-text.tsx'
import { buildCard, type Draft, type Source } from './draft.ts'

type Props = {
  readonly findings: SecretFindings
  readonly isAccepted: boolean
  readonly setAccepted: (isAccepted: boolean) => void
}

/** Warns of possible secrets, and asks for confirmation. */
export function SecretWarnings({ findings, isAccepted, setAccepted }: Props): JSX.Element {
  return (
    <NoticeBox kind="warn">
      <p role="alert">
        <strong>This may contain secrets.</strong> Remove them from the file first, and replace any
        that were ever stored elsewhere.
      </p>
      <Findings title="In the public description, visible to everyone" of={findings.inCard} />
      <Findings title="In the memory, visible to every owner and renter" of={findings.inMemory} />
      <Check isChecked={isAccepted} setChecked={setAccepted}>
        I have checked each one and want to include them
      </Check>
    </NoticeBox>
  )
}

/** The most findings that are listed. */
const mostListed = 20

function Findings({ title, of }: { title: string; of: readonly SecretFinding[] }) {
  if (of.length === 0) return undefined
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {of.slice(0, mostListed).map(({ kind, where = '', line, excerpt }) => (
          <li key={`${where} ${line} ${kind} ${excerpt}`}>
            {nameKind(kind)}
            {where !== '' && [' at ', <UserText key="at" of={formatJsonPointer(where)} />]} (line{' '}
            {line}): <code>{excerpt}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns the kind of a secret as the beginning of a line, without its article. */
const nameKind = (kind: string): string =>
  kind.replace(/^an? /, '').replace(/^./u, (first) => first.toUpperCase())

/** Formats a JSON pointer (RFC 6901) as a path: `/learned/0` is `learned[0]`; other texts stay. */
export function formatJsonPointer(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer
  return parsePointer(pointer).reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}

/** Possible secrets in the sealed memory and in its public card. */
export type SecretFindings = {
  readonly inMemory: readonly SecretFinding[]
  readonly inCard: readonly SecretFinding[]
}

/** Searches the card of a memory for secrets; the memory was searched when its files were read. */
export async function searchSecrets(source: Source, draft: Draft): Promise<SecretFindings> {
  const card = buildCard(draft)
  if (card === undefined) return { inMemory: source.secrets, inCard: [] }
  const text = JSON.stringify(card, undefined, 1)
  return { inMemory: source.secrets, inCard: await withFormats((it) => it.findSecrets(text)) }
}
