// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";

/// @notice Calls that the forwarder of the pair may relay for the account that signed them.
abstract contract Relayed is ERC2771Context {
    /// @dev As OpenZeppelin's, for less gas. The forwarder appends the account to the calldata.
    function _msgSender() internal view override returns (address sender) {
        sender = msg.sender;
        if (sender == trustedForwarder() && msg.data.length >= 20) {
            assembly ("memory-safe") {
                sender := shr(96, calldataload(sub(calldatasize(), 20)))
            }
        }
    }
}
