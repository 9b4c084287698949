import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeLie } from '../../../src/client/proof/check-sample.ts'
import type { Lineage } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { lazy } from '../parts/lazy.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortenHash } from '../text/account.ts'
import type { DownloadedMemory } from './download-memory.ts'
import { SaveMemory } from './save-memory.tsx'
import { ScannedContents } from './scanned-contents.tsx'
import { withHashes } from './with-hashes.ts'

const CompareMemory = lazy<Props>(
  async () => (await import('../compare/compare-memory.tsx')).CompareMemory,
)

type Props = { readonly lineage: Lineage; readonly opened: DownloadedMemory }

/** Shows an opened memory: that it is verified, its contents, and how its versions differ. */
export function Contents({ lineage, opened }: Props): JSX.Element {
  const { tokenId } = lineage.token
  const { contentHash, salt } = opened
  const hasVersions = lineage.ancestors.length + lineage.descendants.length > 0
  return (
    <>
      <Notice kind="good">
        <p role="status">
          <strong>Verified in this browser.</strong> sha256 of the salt{' '}
          <code>{shortenHash(salt)}</code> and these {opened.document.size.toLocaleString('en')}{' '}
          bytes is <code>{shortenHash(contentHash)}</code>, as the chain records.
        </p>
      </Notice>
      <SaveMemory tokenId={tokenId} document={opened.document} />
      <SampleWarning tokenId={tokenId} opened={opened} />
      {hasVersions && (
        <p>
          <a href="#compare">Versions and their differences</a>
        </p>
      )}
      <ScannedContents lineage={lineage} document={opened.document} />
      {hasVersions && <CompareMemory lineage={lineage} opened={opened} />}
    </>
  )
}

type SampleProps = { readonly tokenId: string; readonly opened: DownloadedMemory }

/** Warns when what was shown of the memory before is not in it. */
function SampleWarning({ tokenId, opened }: SampleProps): JSX.Element | undefined {
  const [lie, setLie] = useState<string>()
  useEffect(() => {
    const check = async () => {
      const excerpts = await readNow('excerpts', { tokenId })
      if (excerpts.mark === null) return undefined
      const { document, salt } = opened
      const sample = { tokenId, document, salt: salt as `0x${string}`, excerpts }
      const found = await withHashes((calls) => calls.checkSample(sample))
      return found?.isTrue === false ? describeLie(found) : undefined
    }
    check().then(setLie, () => setLie(undefined))
  }, [tokenId, opened])
  if (lie === undefined) return undefined
  return (
    <Notice kind="warn">
      <p role="alert">{lie}</p>
    </Notice>
  )
}
