"""The words that every page family shares, in both languages: one term per concept.

In: nothing. Out: tables from the catalog's own keys (flags, kinds, commitments, tax …) to a `Text`.
"""

from calculators.framework.text import Text

FACT_KINDS = {
    "datasheet": Text("datasheet", "规格书"),
    "measured": Text("measured", "实测"),
    "quoted": Text("quoted price", "报价"),
    "estimated": Text("estimated", "估算"),
    "derived": Text("derived", "推导"),
}

COMMITMENTS = {
    "on-demand": Text("on demand", "按需"),
    "spot": Text("spot", "竞价实例"),
    "day": Text("by the day", "按天"),
    "month": Text("by the month", "包月"),
    "1-year": Text("1 year", "包一年"),
    "3-year": Text("3 years", "包三年"),
    "purchase": Text("purchase", "购买"),
}

PER = {
    "hour": Text("hour", "小时"),
    "day": Text("day", "天"),
    "month": Text("month", "月"),
    "year": Text("year", "年"),
    "once": Text("once", "一次性"),
}

TAX = {
    "included": Text("included", "含税"),
    "excluded": Text("excluded", "不含税"),
    "not-stated": Text("not stated", "未说明"),
}

ACCUMULATORS = {
    "fp32": Text("FP32"),
    "fp16": Text("FP16"),
    "int32": Text("INT32"),
    "unstated": Text("not stated", "未说明"),
}

SPARSITY = {False: Text("dense", "稠密"), True: Text("2:4 sparse", "2:4 稀疏")}

FLAGS = {
    "no-vendor-warranty": (
        Text("No maker's warranty", "没有原厂保修"),
        Text(
            "The maker of the chip does not sell or guarantee this product. Whoever sells it is the only one to turn to when it fails.",
            "芯片原厂不销售、也不担保这款产品；出了故障，只能找卖家。",
        ),
    ),
    "modified": (
        Text("Modified by a third party", "第三方改装"),
        Text(
            "Parts of the board were exchanged after it left the maker. There is no datasheet; the figures are the seller's.",
            "出厂后由第三方更换了板上部件；没有规格书，参数来自卖家。",
        ),
    ),
    "export-controlled": (
        Text("Export-controlled", "受出口管制"),
        Text(
            "Export rules restrict supply of this accelerator to some countries, mainland China among them. "
            "Ask the seller for the licence and the origin before you plan with it.",
            "出口规则限制向部分国家和地区（包括中国大陆）供应这款加速卡。把它写进方案之前，先向卖家索要许可和来源证明。",
        ),
    ),
    "cloud-only": (
        Text("Only as a cloud service", "只能租用云服务"),
        Text("It cannot be bought; its maker rents it out.", "不单独出售，只能通过云服务租用。"),
    ),
    "sub-model-unknown": (
        Text("Sub-model not named", "未注明子型号"),
        Text(
            "The name covers several products that differ in compute and memory. Ask which one it is before you compare prices.",
            "这个名称之下有多款算力和显存都不同的产品。比较价格之前，先问清是哪一款。",
        ),
    ),
    "discontinued": (
        Text("No longer made", "已停产"),
        Text("Supply is used or left-over stock; spare parts run out.", "市面上只有二手或库存，备件会越来越难找。"),
    ),
    "domestic-cn": (
        Text("Chinese domestic product", "国产产品"),
        Text(
            "Designed by a Chinese vendor; counts where rules ask for domestic hardware.",
            "由中国厂商设计，适用于有国产化要求的场景。",
        ),
    ),
}
"""Flag -> (name, what it means for a buyer)."""

WARNINGS = tuple(f for f in FLAGS if f != "domestic-cn")
"""Flags that warn; the others inform."""

ATTENTION = {
    "MHA": Text("MHA (one KV head per query head)", "MHA（每个查询头各有 KV 头）"),
    "GQA": Text("GQA (query heads share KV heads)", "GQA（多个查询头共用 KV 头）"),
    "MQA": Text("MQA (one KV head for all)", "MQA（全部查询头共用一个 KV 头）"),
    "MLA": Text("MLA (one compressed latent)", "MLA（只存一份压缩潜变量）"),
    "SWA": Text("sliding window and full attention", "滑动窗口与全注意力混合"),
    "hybrid": Text("hybrid: linear attention and full attention", "混合：线性注意力与全注意力"),
}
