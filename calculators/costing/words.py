"""The words that `tco` uses in several places: names of the ways, of kinds of cost, of fields.

In: ids and numbers. Out: `Text`.
"""

from collections.abc import Iterable

from calculators.costing.model import BARE_METAL, MONTHLY, ON_DEMAND, PURCHASE, RESERVED, SPOT, USED
from calculators.framework.text import Text, number

NAMES = {
    ON_DEMAND: Text("On demand", "按需"),
    MONTHLY: Text("By the month", "包月"),
    RESERVED: Text("Reserved", "预留"),
    SPOT: Text("Spot", "竞价实例"),
    BARE_METAL: Text("Bare metal", "裸金属"),
    PURCHASE: Text("Buying new", "购买新机"),
    USED: Text("Buying second-hand", "购买二手"),
}
SAID = {
    ON_DEMAND: Text("renting on demand", "按需租用"),
    MONTHLY: Text("renting by the month", "包月"),
    RESERVED: Text("reserving", "预留"),
    SPOT: Text("renting spot instances", "竞价实例"),
    BARE_METAL: Text("bare metal", "裸金属"),
    PURCHASE: Text("buying new", "购买新机"),
    USED: Text("buying second-hand", "购买二手"),
}
"""The names inside a sentence."""
KINDS = {
    "rent": Text("Rent", "租金"),
    "storage": Text("Storage", "存储"),
    "egress": Text("Traffic out", "流出流量"),
    "network": Text("Network and host nodes", "网络与 CPU 节点"),
    "support": Text("Support", "技术支持"),
    "setup": Text("Set-up", "部署"),
    "hardware": Text("Servers with cards", "整机"),
    "cluster-network": Text("Cluster network", "集群网络"),
    "own-storage": Text("Storage bought", "自购存储"),
    "spares": Text("Spare cards", "备卡"),
    "duty": Text("Import duty", "关税"),
    "install": Text("Installation and tests", "安装与测试"),
    "electricity": Text("Electricity", "电费"),
    "demand": Text("Demand charge", "容（需）量电费"),
    "colo": Text("Colocation", "托管费"),
    "maintenance": Text("Maintenance", "维保"),
    "replacement": Text("Replacing failed cards", "故障更换"),
    "staff": Text("Staff", "人工"),
    "licence": Text("Licences", "软件许可"),
    "insurance": Text("Insurance", "保险"),
    "bandwidth": Text("Bandwidth", "带宽"),
    "tax": Text("Income tax saved", "所得税抵减"),
    "resale": Text("Resale at the end", "期末转卖"),
}
FIELD_NAMES = {
    "hourly_price": Text("“On demand, one accelerator”", "“按需，单卡”"),
    "monthly_price": Text("“By the month, one accelerator”", "“包月，单卡”"),
    "reserved_discount_percent": Text("“Reserved, one accelerator” or “Discount for reserving”", "“预留，单卡”或“预留折扣”"),
    "spot_price": Text("“Spot, one accelerator” or “Spot price, of on demand”", "“竞价实例，单卡”或“竞价价格占按需价的比例”"),
    "bare_metal_price": Text("“Bare metal, whole node”", "“裸金属，整机”"),
    "capex_per_accelerator": Text("“Server with its cards, per accelerator”", "“整机价，折合单卡”"),
    "used_price_per_accelerator": Text("“Second-hand server, per accelerator”", "“二手整机，折合单卡”"),
    "kw_per_accelerator": Text("“Power of the node, per accelerator”", "“整机功率，折合单卡”"),
    "tariff": Text("“Electricity price”", "“电价”"),
    "pue": Text("“PUE”"),
    "colo_per_kw_month": Text("“Colocation rent”", "“托管费”"),
}
VALUE_NAMES = {
    "hours_per_month": (Text("Hours of work per month", "每月工作小时数"), "h/month"),
    "hourly_price": (Text("On-demand price", "按需价格"), "money/h"),
    "rent_decline_percent": (Text("Rents fall per year", "租价年降幅"), "%"),
    "spot_percent": (Text("Spot price, of on demand", "竞价占按需价"), "%"),
    "reserved_discount_percent": (Text("Discount for reserving", "预留折扣"), "%"),
    "capex_per_accelerator": (Text("Server price, per accelerator", "整机价，折合单卡"), "money"),
    "residual_percent": (Text("Resale after 36 months", "36 个月残值"), "%"),
    "maintenance_percent": (Text("Maintenance per year", "年维保费率"), "%"),
    "tariff": (Text("Electricity price", "电价"), "money/kWh"),
    "pue": (Text("PUE"), ""),
    "colo_per_kw_month": (Text("Colocation rent", "托管费"), "money/kW-month"),
    "discount_rate_percent": (Text("Cost of capital", "资金成本"), "%"),
    "spot_interrupted_every": (Text("Spot: hours between interruptions", "竞价：两次中断间隔"), "h"),
    "monthly_price": (Text("Month price, per card", "包月单卡价"), "money/month"),
    "bare_metal_price": (Text("Bare metal, node and month", "裸金属，整机每月"), "money/month"),
    "used_price_per_accelerator": (Text("Second-hand price, per accelerator", "二手整机价，折合单卡"), "money"),
    "vat_percent": (Text("VAT on goods", "商品增值税率"), "%"),
}


def listed(options: Iterable[str]) -> Text:
    """Names inside a sentence, one after the other."""
    found = list(options)
    return Text(", ".join(SAID[id].en for id in found), "、".join(NAMES[id].zh for id in found))


def first_upper(words: str) -> str:
    """The beginning of a sentence."""
    return words[:1].upper() + words[1:]


def percent(share: float, digits: int = 0) -> str:
    """A share as percent, the same in both languages."""
    return f"{number(100 * share, digits)}%"
