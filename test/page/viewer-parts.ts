import { createClient } from '@heirloom/http/client'
import type { Locator, Page } from 'playwright-core'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'

/** Makes a memory of Ada's on a server, and returns the address of its token. */
export async function makeMemory(url: string, data: object): Promise<string> {
  const recipient = developmentAccounts[0]?.address
  const bundle = { data, metadata: { category: 'notes' }, recipient }
  return `${url}/token/${(await createClient({ url }).snapshot(bundle)).tokenId}`
}

/** Returns the parts of the viewer of a page, and what opens the memory of the page in it. */
export function viewerOf(page: () => Page) {
  const tree = (): Locator => page().getByRole('tree', { name: 'The memory as a tree' })
  const reading = (name: string | RegExp): Locator =>
    page().getByRole('navigation', { name: 'In this memory' }).getByRole('button', { name })
  /** Opens the memory; what could mislead is shown on demand. */
  const openShown = async (): Promise<void> => {
    await page().getByRole('button', { name: 'Open the memory' }).click()
    const anyway = page().getByRole('button', { name: 'Show the contents all the same' })
    // A bound on a hang: a large memory is scanned first.
    const viewer = page().getByRole('region', { name: 'The contents of the memory' })
    await viewer.or(anyway).first().waitFor()
    if (await anyway.isVisible()) await anyway.click()
    await viewer.waitFor()
  }
  return {
    openShown,
    openTree: async (): Promise<void> => {
      await openShown()
      await reading('Everything, as a tree').click()
      await tree().waitFor()
    },
    reading,
    tree,
    row: (name: string | RegExp): Locator => tree().getByRole('treeitem', { name }),
    chosen: (): Locator => page().getByRole('region', { name: 'The chosen value' }),
  }
}
