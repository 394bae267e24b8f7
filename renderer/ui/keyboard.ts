// Whether single-key shortcuts apply: not while a person types, and not while a popup is open.

/** Whether the target is a field that takes keys. */
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

/** Whether a menu, a select or a dialog is open, which then takes the keys. */
export function isPopupOpen(): boolean {
  return (
    document.querySelector(
      '[role=dialog][data-open], [role=menu][data-open], [role=listbox][data-open], [role=alertdialog][data-open]',
    ) !== null
  )
}
