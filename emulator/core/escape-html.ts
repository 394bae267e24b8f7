const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// XML 1.0 forbids most control characters, also as character references.
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu

/**
 * Escapes text for the content or a quoted attribute of HTML and XML, but not for `<style>` or `<script>`. Replaces control
 * characters.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(FORBIDDEN, '\u{FFFD}')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
