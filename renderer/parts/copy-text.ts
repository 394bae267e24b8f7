// Waits for a text, copies it to the clipboard, and confirms the copy with a toast.
import { showToast } from '../ui/toast.tsx'

/** @param words what is copied: "curl" in "Copied as curl" */
export async function copyText(
  words: string,
  making: Promise<string>,
  detail: string,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(await making)
    showToast({ title: `Copied as ${words}`, detail, tone: 'allowed' })
  } catch (error) {
    showToast({
      title: `Could not copy as ${words}`,
      detail: error instanceof Error ? error.message : String(error),
      tone: 'refused',
    })
  }
}
