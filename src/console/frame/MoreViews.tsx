/** @jsxImportSource react */
import { Menu } from "@base-ui/react/menu";
import { Icon } from "../parts/Icon.js";
import type { IconName } from "../parts/icons.js";
import { Link, type ViewAddress, useRouter } from "./router.js";

interface MoreViewsProps {
  views: readonly { name: string; icon: IconName; to: ViewAddress }[];
}

/** The views that have no place of their own on a narrow page. */
export function MoreViews({ views }: MoreViewsProps) {
  const { parts } = useRouter();
  const here = views.find(({ to }) => to.parts[0] === parts[0]);
  return (
    <Menu.Root>
      <Menu.Trigger className="entry more" data-here={here !== undefined || undefined}>
        <Icon name={here?.icon ?? "more"} /> <span>{here?.name ?? "More"}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" sideOffset={6} align="end">
          <Menu.Popup className="menu">
            {views.map(({ name, icon, to }) => (
              <Menu.Item key={name} className="menu-item" render={<Link to={to} />}>
                <Icon name={icon} /> {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
