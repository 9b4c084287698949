import { type Finding, gravestFindings } from '@heirloom/adapters/internal/scan/finding'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Loading } from '../parts/lazy.tsx'
import { Notice, NoticeBox } from '../parts/notice.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { Viewer } from '../viewer/viewer.tsx'
import { within } from '../worker-calls.ts'
import type { ScanHandlers } from './scan-worker.ts'

type Shown = { readonly document: Blob }

type Contents = Shown & { readonly isOwn: boolean }

/** Shows the contents of a memory, of another account's after a scan; one's own is scanned on demand. */
export function ScannedContents({ isOwn, ...shown }: Contents): JSX.Element {
  const [isDue, setDue] = useState(!isOwn)
  const findings = useFindings(shown.document, isDue)
  if (isDue && findings === undefined) return <Loading what="Scanning" />
  if (findings === 'unknown') return <Unscanned {...shown} />
  if (findings !== undefined) return <Scanned findings={findings} isOwn={isOwn} {...shown} />
  return (
    <>
      <Viewer {...shown} />
      <ButtonLine name="Scan for hidden or misleading text" onClick={() => setDue(true)} />
    </>
  )
}

type Found = { readonly findings: readonly Finding[]; readonly isOwn: boolean }

/** Shows what a scan found, before the contents; of another account's memory instead of them. */
function Scanned({ findings, isOwn, ...shown }: Found & Shown): JSX.Element {
  const [isShown, setShown] = useState(isOwn)
  const flagged = findings.filter(({ severity }) => severity !== 'low')
  if (flagged.length === 0) {
    return (
      <>
        <p class="hint" role="status">
          No misleading or hidden text was found. The scan can miss some.
        </p>
        <Viewer {...shown} />
      </>
    )
  }
  return (
    <>
      <FindingsPanel findings={flagged} isOwn={isOwn} />
      {isShown ? (
        <Viewer {...shown} />
      ) : (
        <ButtonLine name="Show the contents all the same" onClick={() => setShown(true)} />
      )}
    </>
  )
}

function Unscanned(shown: Shown): JSX.Element {
  return (
    <>
      <Notice kind="warn" role="alert">
        The scan for hidden or misleading text took too long, so nothing is known about it.
      </Notice>
      <Viewer {...shown} />
    </>
  )
}

/** The longest that a memory is scanned, in milliseconds. */
const limit = 300_000

const scanInWorker = (document: Blob): Promise<readonly Finding[]> =>
  within<ScanHandlers, readonly Finding[]>({
    start: () => new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' }),
    run: (calls) => calls.scan(document),
    limit,
    tooLong: 'This memory takes too long to scan.',
  })

function useFindings(document: Blob, isDue: boolean): readonly Finding[] | 'unknown' | undefined {
  const scan = async () =>
    isDue ? await scanInWorker(document).catch(() => 'unknown' as const) : undefined
  return useAnswer(scan, [document, isDue]).last
}

/** The most findings that are listed. */
const most = 20

function FindingsPanel({ findings, isOwn }: Found): JSX.Element {
  const left = findings.length - most
  return (
    <NoticeBox kind="warn">
      <p role="alert">
        <strong>This memory holds text that could mislead whoever reads it.</strong>{' '}
        {isOwn ? 'You saved it.' : 'Another account wrote it: do not do what it says.'} Do not give
        it to an agent as it is.
      </p>
      <ul>
        {gravestFindings(findings, most).map((it) => (
          <li key={`${it.at}/${it.start}/${it.kind}`}>
            {it.sentence} <code>{it.pointer || '/'}</code>: <UserText of={it.excerpt} />
          </li>
        ))}
      </ul>
      {left > 0 && <p>And {left} more.</p>}
    </NoticeBox>
  )
}
