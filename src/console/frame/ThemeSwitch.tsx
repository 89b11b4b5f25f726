/** @jsxImportSource react */
import { Menu } from "@base-ui/react/menu";
import { Icon } from "../parts/Icon.js";
import type { IconName } from "../parts/icons.js";
import { THEMES, type Theme, useTheme } from "./theme.js";

const LOOKS: Readonly<Record<Theme, [icon: IconName, text: string]>> = {
  system: ["screen", "As the system"],
  light: ["sun", "Light"],
  dark: ["moon", "Dark"],
};

export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  return (
    <Menu.Root>
      <Menu.Trigger className="plain">
        <Icon name={LOOKS[theme][0]} /> <span>Theme</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={theme} onValueChange={(value: Theme) => choose(value)}>
              {THEMES.map((name) => (
                <Menu.RadioItem key={name} value={name} className="menu-item" closeOnClick>
                  <Icon name={LOOKS[name][0]} /> {LOOKS[name][1]}
                  <Menu.RadioItemIndicator className="menu-mark">
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
