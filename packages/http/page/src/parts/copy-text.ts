/** Copies a text, and returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers have this clipboard only for pages over HTTPS and on this machine.
    return copySelection(text)
  }
}

/** Copies a text by selecting it in a field, as browsers allow to every page after a press. */
function copySelection(text: string): boolean {
  const { activeElement } = document
  const field = document.createElement('textarea')
  field.className = 'unseen'
  field.value = text
  // What is outside of an open dialog cannot be selected.
  const place = activeElement?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  field.remove()
  return isCopied
}
