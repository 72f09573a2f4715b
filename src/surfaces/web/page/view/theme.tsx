/** Light or dark: as the system says, until the reader chooses. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const KEY = 'reprise-theme'
const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(stored)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem(KEY, theme)
  }, [theme])
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <button
      type="button"
      class="quiet sign"
      aria-label={`Colours: ${theme}. Change to ${next}.`}
      title={`Colours: ${theme}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={theme} />
    </button>
  )
}

function stored(): Theme {
  const value = localStorage.getItem(KEY)
  return themes.find((theme) => theme === value) ?? 'system'
}
