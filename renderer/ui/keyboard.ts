// Where the keyboard is: single keys mean nothing while somebody writes.

/** Whether keys go into a field. */
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

/** Whether a menu, a select or a dialog is open, which then owns the keys. */
export function isPopupOpen(): boolean {
  return (
    document.querySelector(
      '[role=dialog][data-open], [role=menu][data-open], [role=listbox][data-open], [role=alertdialog][data-open]',
    ) !== null
  )
}
