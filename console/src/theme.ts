import {
  Alert,
  Badge,
  Button,
  createTheme,
  type MantineColorsTuple,
  NativeSelect,
  Notification,
  SegmentedControl,
  Select,
  Skeleton,
  TextInput,
  Tooltip,
} from '@mantine/core'

// A blue of ink. From the seventh on, white text on it has a contrast of 4.5 and more (WCAG 2.2, 1.4.3).
const ink: MantineColorsTuple = [
  '#eef2ff',
  '#dde4fd',
  '#b9c6f7',
  '#93a6f1',
  '#728aec',
  '#5a74e6',
  '#4661dc',
  '#3550c4',
  '#2a42a8',
  '#1f338a',
]

// Mantine's greys of the dark, with a little of the same blue: its fields then sit on our surfaces.
const dark: MantineColorsTuple = [
  '#e4e7ec',
  '#c3c9d4',
  '#a6afbe',
  '#6b7484',
  '#434a57',
  '#363c48',
  '#262b34',
  '#1c1f26',
  '#15171c',
  '#0f1115',
]

/** A tint of the surface, a border and readable words, in place of a filled block: it is read, and does not shout. */
const tinted = (color: string) => {
  const shade = (number: number): string => `var(--mantine-color-${color.split('.')[0]}-${number})`
  return {
    background: `color-mix(in srgb, ${shade(6)} 10%, var(--surface))`,
    border: `1px solid color-mix(in srgb, ${shade(6)} 40%, var(--surface))`,
    words: `light-dark(color-mix(in srgb, ${shade(9)} 70%, black), ${shade(3)})`,
  }
}

export const theme = createTheme({
  colors: { ink, dark },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', Inter, Roboto, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Liberation Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    Alert: Alert.extend({
      vars(_theme, { color = 'ink' }) {
        const { background, border, words } = tinted(color)
        return { root: { '--alert-bg': background, '--alert-bd': border, '--alert-color': words } }
      },
      styles: { message: { color: 'var(--text)' } },
    }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Badge: Badge.extend({
      defaultProps: { radius: 'sm', color: 'gray' },
      styles: { label: { textTransform: 'none', fontWeight: 600 } },
      vars(_theme, { color = 'gray' }) {
        const { background, border, words } = tinted(color)
        return { root: { '--badge-bg': background, '--badge-bd': border, '--badge-color': words } }
      },
    }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'sm' } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'sm' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Select: Select.extend({ defaultProps: { size: 'sm', checkIconPosition: 'right' } }),
    Skeleton: Skeleton.extend({ defaultProps: { height: 12, radius: 'sm' } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'sm' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
  },
})
