// Decides whether single-key shortcuts apply. Shortcuts do not apply while the user types in a field or a popup is
// open.

/** Whether the target is a field in which the user types. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'button', 'range'].includes(target.type))
  )
}

/** Whether a menu, a select or a dialog is open. These elements handle the keys themselves. */
export function isPopupOpen(): boolean {
  return (
    document.querySelector(
      '[role=dialog][data-open], [role=menu][data-open], [role=listbox][data-open], [role=alertdialog][data-open]',
    ) !== null
  )
}
