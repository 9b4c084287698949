import type { SecretFinding } from '@heirloom/adapters/formats'
import type { JSX } from 'preact'
import { Notice } from '../parts/notice.tsx'
import { Words } from '../parts/user-text.tsx'
import type { Alarms } from './search-secrets.ts'

type Props = {
  readonly alarms: Alarms
  readonly isAccepted: boolean
  readonly setAccepted: (isAccepted: boolean) => void
}

/** Warns of what looks like a secret, and asks whether it is meant. */
export function SecretWarnings({ alarms, isAccepted, setAccepted }: Props): JSX.Element {
  return (
    <Notice kind="warn">
      <p role="alert">
        <strong>This looks as if it holds secrets.</strong> Take them out of the file first, and
        change those that were ever elsewhere.
      </p>
      <Findings title="On the card, for everybody to read" of={alarms.shown} />
      <Findings title="In the memory, for every owner and renter to read" of={alarms.sealed} />
      <label class="check">
        <input
          type="checkbox"
          checked={isAccepted}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
        />
        <span>I have looked at each, and mean to seal them</span>
      </label>
    </Notice>
  )
}

/** How many are told; a text with more is no less alarming. */
const told = 20

function Findings({ title, of }: { title: string; of: readonly SecretFinding[] }) {
  if (of.length === 0) return undefined
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {of.slice(0, told).map(({ kind, where = '', line, excerpt }) => (
          <li key={`${where} ${line} ${kind} ${excerpt}`}>
            {kind}, {where !== '' && <Words of={where} />} line {line}: <code>{excerpt}</code>
          </li>
        ))}
      </ul>
    </>
  )
}
